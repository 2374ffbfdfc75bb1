import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { cancelLeaving } from '@/api/account'
import { messageFor } from '@/api/client'
import { DownloadData } from '@/components/download-data'
import EmptyState from '@/components/empty-state'
import { Button } from '@/components/ui/button'
import { formatDay } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** All that a user sees who is leaving: until when they can cancel it. */
export default function LeavingScreen({ deletionAt }: { deletionAt: string }) {
  const queryClient = useQueryClient()
  const main = useRef<HTMLElement>(null)
  const cancel = useMutation({
    mutationFn: () => cancelLeaving(queryClient),
    onSuccess: () => showToast(t('app_staying')),
    onError: (error) => showToast(messageFor(error, t('app_cancel_failed')), 'error'),
  })
  useEffect(() => main.current?.focus(), [])
  return (
    <main id="content" ref={main} tabIndex={-1} className="grid min-h-dvh place-items-center outline-none">
      <EmptyState
        drawing="signpost"
        heading="h1"
        title={t('app_leaving')}
        hint={rich('app_leaving_until', { day: <time dateTime={deletionAt}>{formatDay(deletionAt)}</time> })}
        action={
          <div className="grid justify-items-center gap-3">
            <Button className="max-sm:h-11" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
              {cancel.isPending ? t('app_canceling') : t('app_cancel_leaving')}
            </Button>
            <DownloadData />
          </div>
        }
      />
    </main>
  )
}
