import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pause, Play, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import type { Watch, WatchDraft } from '@/api/types'
import { addWatch, deleteWatch, pauseWatch, watchesKey, watchesQuery } from '@/api/watches'
import { LinkButton } from '@/components/buttons'
import { ErrorPanel } from '@/components/error-panel'
import { MutedBuyers } from '@/components/muted-buyers'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import type { DialogProps } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { rich, t } from '@/lib/texts'
import { WatchForm } from './WatchForm'
import { draftOf, stateOf } from './watchWords'

/** Watches what the board shows, and lists, pauses and removes watches. */
export default function WatchesDialog({ open, onClose }: DialogProps) {
  const query = useQuery(watchesQuery)
  const { data, isError } = query
  const [removed, setRemoved] = useState<Watch | null>(null)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={t('common_my_watches')} description={t('finding_watches_help')} className="sm:max-w-md">
        <DialogBody className="grid content-start gap-6 pb-6">
          {isError ? (
            <ErrorPanel text={t('finding_watches_failed')} query={query} />
          ) : (
            <>
              <WatchForm watches={data?.watches ?? []} />
              {removed && <Removed key={removed.id} watch={removed} onUndone={() => setRemoved(null)} />}
              {data && data.watches.length > 0 && (
                <ul aria-label={t('finding_watches')} className="grid divide-y border-y">
                  {data.watches.map((watch) => (
                    <WatchRow key={watch.id} watch={watch} onRemoved={() => setRemoved(watch)} />
                  ))}
                </ul>
              )}
              <MutedBuyers />
            </>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

/** Says that a watch is removed, and takes that back. The focus comes here: the button that removed it is gone. */
function Removed({ watch, onUndone }: { watch: Watch; onUndone: () => void }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey<WatchDraft>()
  const [error, setError] = useState<unknown>()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  async function undo() {
    try {
      await writes.once(draftOf(watch), addWatch)
      await queryClient.invalidateQueries({ queryKey: watchesKey })
      document.querySelector<HTMLElement>('[role=dialog]')?.focus() // the button is gone
      onUndone()
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <div role="status" className="grid gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="min-w-0 wrap-anywhere">
          {rich('finding_watch_removed', { name: <bdi>{watch.name}</bdi> })}
        </span>
        <LinkButton ref={button} className="min-h-6 pointer-coarse:min-h-11" onClick={undo}>
          {t('common_undo')}
        </LinkButton>
      </p>
      {error !== undefined && <Notice>{messageFor(error, t('finding_undo_failed'))}</Notice>}
    </div>
  )
}

function WatchRow({ watch, onRemoved }: { watch: Watch; onRemoved: () => void }) {
  const queryClient = useQueryClient()
  const [error, setError] = useState<unknown>()
  const writes = useIdempotencyKey()
  const act = async (content: unknown[], send: (key: string) => Promise<unknown>) => {
    setError(undefined)
    try {
      await writes.once(content, (_, key) => send(key))
      await queryClient.invalidateQueries({ queryKey: watchesKey })
      return true
    } catch (failure) {
      setError(failure)
      return false
    }
  }
  const remove = async () => (await act(['remove', watch.id], (key) => deleteWatch(watch.id, key))) && onRemoved()
  const { name } = watch
  return (
    <li className="flex items-center gap-1 py-2">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate font-medium text-sm">
          {watch.name}
        </p>
        <p className="text-muted-foreground text-xs">{stateOf(watch)}</p>
        {error !== undefined && <Notice>{messageFor(error, t('finding_change_failed'))}</Notice>}
      </div>
      <Button
        variant="ghost"
        size="icon"
        title={watch.paused ? t('finding_resume') : t('finding_pause')}
        aria-label={watch.paused ? t('finding_resume_watch', { name }) : t('finding_pause_watch', { name })}
        onClick={() => act(['pause', watch.id, !watch.paused], (key) => pauseWatch(watch.id, !watch.paused, key))}
      >
        {watch.paused ? <Play /> : <Pause />}
      </Button>
      <Button
        variant="ghost"
        size="icon"
        title={t('common_remove')}
        aria-label={t('finding_remove_watch', { name })}
        onClick={remove}
      >
        <Trash2 />
      </Button>
    </li>
  )
}
