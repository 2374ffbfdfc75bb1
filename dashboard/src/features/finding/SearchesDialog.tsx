import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { messageFor } from '@/api/client'
import { describeSearch, searchOf } from '@/api/savedSearch'
import type { SearchDraft } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { filterAt } from '@/hooks/useBrowseFilter'
import type { DialogProps } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { type SavedSearch, useSearches } from '@/hooks/useSearches'
import { viewAt } from '@/lib/boardView'
import { limits } from '@/lib/market'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

type Searches = ReturnType<typeof useSearches>

/** Saves what the board shows by a name, and renames and deletes saved searches. */
export default function SearchesDialog({ open, onClose, user }: DialogProps) {
  const searches = useSearches(true)
  const [params] = useSearchParams()
  const shown = (name: string) => searchOf(filterAt(params), viewAt(params), name)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent
        title={t('common_saved_searches')}
        description={user ? undefined : t('finding_in_browser')}
        className="sm:max-w-md"
      >
        <DialogBody className="grid content-start gap-5 pb-6">
          {searches.isError ? (
            <ErrorPanel text={t('finding_searches_failed')} query={searches} />
          ) : (
            <>
              <NameForm
                label={t('finding_save_as')}
                help={describeSearch(shown(''))}
                button={t('common_save')}
                initial=""
                problemOf={(name) => searches.problemOf(name)}
                send={async (name, key) => {
                  await searches.add(shown(name), key)
                  showToast(t('finding_saved_as', { name: name.trim() }))
                }}
              />
              {searches.searches.length > 0 && (
                <ul aria-label={t('finding_saved_searches')} className="grid divide-y border-y">
                  {searches.searches.map((search) => (
                    <SearchRow key={search.id} search={search} searches={searches} />
                  ))}
                </ul>
              )}
            </>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

function SearchRow({ search, searches }: { search: SavedSearch; searches: Searches }) {
  const [renaming, setRenaming] = useState(false)
  const [error, setError] = useState<unknown>()
  const rename = useRef<HTMLButtonElement>(null)
  const removals = useIdempotencyKey<number>()

  async function remove() {
    try {
      await removals.once(search.id, searches.remove)
      document.querySelector<HTMLElement>('[role=dialog]')?.focus() // the button is gone
    } catch (failure) {
      setError(failure)
    }
  }

  const done = () => setRenaming(false)
  const wasRenaming = useRef(false)
  useEffect(() => {
    if (wasRenaming.current && !renaming) rename.current?.focus()
    wasRenaming.current = renaming
  }, [renaming])

  if (renaming) {
    return (
      <li className="py-3">
        <NameForm
          label={t('finding_new_name', { name: search.name })}
          button={t('finding_rename')}
          initial={search.name}
          problemOf={(name) => searches.problemOf(name, search.id)}
          send={async (name, key) => {
            await searches.rename(search, name, key)
            done()
          }}
          onCancel={done}
        />
      </li>
    )
  }
  return (
    <li className="flex items-center gap-1 py-2">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate font-medium text-sm">
          {search.name}
        </p>
        <p className="truncate text-muted-foreground text-xs">{describeSearch(search)}</p>
        {error !== undefined && <Notice>{messageFor(error, t('finding_delete_failed'))}</Notice>}
      </div>
      <Button
        ref={rename}
        variant="ghost"
        size="icon"
        aria-label={t('finding_rename_search', { name: search.name })}
        onClick={() => setRenaming(true)}
      >
        <Pencil />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('finding_delete_search', { name: search.name })}
        onClick={remove}
      >
        <Trash2 />
      </Button>
    </li>
  )
}

type NameFormProps = {
  label: string
  help?: string
  button: string
  initial: string
  problemOf: (name: string) => string | undefined
  send: (name: string, key: string) => Promise<unknown>
  onCancel?: () => void
}

function NameForm({ label, help, button, initial, problemOf, send, onCancel }: NameFormProps) {
  const [name, setName] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const [sending, setSending] = useState(false)
  const writes = useIdempotencyKey<SearchDraft['name']>()

  async function submit(event: React.FormEvent) {
    event.preventDefault()
    const wrong = problemOf(name)
    setProblem(wrong)
    if (wrong || sending) return
    setSending(true)
    try {
      await writes.once(name, send)
      setName(initial)
    } catch (error) {
      setProblem(messageFor(error, t('finding_save_failed')))
    }
    setSending(false)
  }

  return (
    <form onSubmit={submit} className="flex items-start gap-2">
      <Field label={label} help={help} error={problem} className="min-w-0 flex-1">
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={limits.searchName}
            autoComplete="off"
            className="h-10 pointer-coarse:h-11"
            onChange={(event) => {
              setName(event.target.value)
              setProblem(undefined)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || !onCancel) return
              event.stopPropagation()
              onCancel()
            }}
          />
        )}
      </Field>
      <Button type="submit" className="mt-7 h-10 pointer-coarse:h-11" disabled={sending}>
        {button}
      </Button>
      {onCancel && (
        <Button type="button" variant="ghost" className="mt-7 h-10 pointer-coarse:h-11" onClick={onCancel}>
          {t('common_cancel')}
        </Button>
      )}
    </form>
  )
}
