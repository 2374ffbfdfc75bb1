import { type ReactNode, useState } from 'react'
import { needsFreshSignIn, SignInOnceMore } from '@/components/failure'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { DialogBody, DialogFooter } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { Textarea } from '@/components/ui/textarea'
import { useDraftForm } from '@/hooks/useDraftForm'
import { t } from '@/lib/texts'
import { reasonForm } from '@/lib/validation'

type Props = {
  /** Names the draft in this tab. */
  name: string
  /** A summary of the subject. */
  children?: ReactNode
  help: string
  button: string
  busy: string
  destructive?: boolean
  failure: string
  send: (reason: string, key: string) => Promise<unknown>
  onCancel: () => void
}

/** Asks for the reason of a report, a removal or a block. */
export function ReasonForm({ name, children, help, button, busy, destructive, failure, send, onCancel }: Props) {
  const [stale, setStale] = useState(false)
  const { form, submit, notice, sending, errorOf } = useDraftForm({
    name,
    defaults: { reason: '' },
    schema: reasonForm,
    failure,
    async send({ reason }, key) {
      try {
        await send(reason, key)
      } catch (error) {
        setStale(needsFreshSignIn(error))
        throw error
      }
    },
  })
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <DialogBody className="grid content-start gap-5">
        {children}
        <Field label={t('lib_reason')} error={errorOf('reason')} help={help}>
          {(field) => <Textarea {...field} {...form.register('reason')} rows={4} />}
        </Field>
      </DialogBody>
      {notice && (
        <Notice className="mx-5 mb-3">
          {notice}
          {stale && <SignInOnceMore />}
        </Notice>
      )}
      <DialogFooter>
        <Button variant="ghost" className="max-sm:h-11" onClick={onCancel}>
          {t('common_cancel')}
        </Button>
        <Button
          type="submit"
          variant={destructive ? 'destructive' : 'default'}
          className="max-sm:h-11"
          disabled={sending}
        >
          {sending ? busy : button}
        </Button>
      </DialogFooter>
    </form>
  )
}
