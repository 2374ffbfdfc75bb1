import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { Field } from '@/components/labelled-field'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { t } from '@/lib/texts'

type Props = {
  label: string
  value: string
  maxLength: number
  help: string
  /** The field in the server's errors. */
  field: string
  /** What the button that opens the form says. */
  change: string
  save: (text: string, key: string) => Promise<unknown>
  /** What is shown while the form is closed. */
  children: ReactNode
}

/** One line of text that the user changes in place. The focus returns to the button. */
export function OneLine({ label, value, maxLength, help, field, change, save, children }: Props) {
  const [editing, setEditing] = useState(false)
  const [text, setText] = useState(value)
  const [error, setError] = useState('')
  const [saving, setSaving] = useState(false)
  const writes = useIdempotencyKey()
  const opener = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const opened = useRef(false)
  useEffect(() => {
    if (editing) input.current?.focus()
    else if (opened.current) opener.current?.focus()
    opened.current = editing
  }, [editing])

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSaving(true)
    try {
      await save(text.trim(), writes.keyFor(text.trim()))
      writes.succeeded()
      setError('')
      setEditing(false)
    } catch (failure) {
      const said = failure instanceof ApiError ? failure.problem.errors?.[field] : undefined
      setError(said ?? messageFor(failure, t('common_save_failed')))
    }
    setSaving(false)
  }

  if (!editing)
    return (
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 wrap-anywhere">{children}</div>
        <Button
          ref={opener}
          size="sm"
          variant="outline"
          aria-label={`${change}: ${label}`}
          onClick={() => {
            setText(value)
            setEditing(true)
          }}
        >
          {change}
        </Button>
      </div>
    )
  return (
    <form onSubmit={submit} className="grid gap-2">
      <Field label={label} help={help} error={error}>
        {(control) => (
          <Input
            {...control}
            ref={input}
            value={text}
            maxLength={maxLength}
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setEditing(false)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" disabled={saving}>
          {saving ? t('common_saving') : t('common_save')}
        </Button>
        <Button size="sm" variant="ghost" disabled={saving} onClick={() => setEditing(false)}>
          {t('common_cancel')}
        </Button>
      </div>
    </form>
  )
}
