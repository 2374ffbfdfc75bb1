import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { messageFor } from '@/api/client'
import { cancelLeaving } from '@/api/me'
import { DownloadData } from '@/components/download-data'
import EmptyState from '@/components/empty-state'
import { Button } from '@/components/ui/button'
import { formatDay } from '@/lib/format'
import { showToast } from '@/lib/toasts'

/** All that a user sees who is leaving: until when they can cancel it. */
export default function LeavingScreen({ deletionAt }: { deletionAt: string }) {
  const queryClient = useQueryClient()
  const main = useRef<HTMLElement>(null)
  const cancel = useMutation({
    mutationFn: () => cancelLeaving(queryClient),
    onSuccess: () => showToast("You're staying. Your requests are shown again."),
    onError: (error) => showToast(messageFor(error, 'Failed to cancel. Please try again.'), 'error'),
  })
  useEffect(() => main.current?.focus(), [])
  return (
    <main id="content" ref={main} tabIndex={-1} className="grid min-h-dvh place-items-center outline-none">
      <EmptyState
        drawing="signpost"
        heading="h1"
        title="You're Leaving"
        hint={
          <>
            Everything of yours is hidden, and will be deleted on{' '}
            <time dateTime={deletionAt}>{formatDay(deletionAt)}</time>. Until then you can cancel it. Offers don't come
            back.
          </>
        }
        action={
          <div className="grid justify-items-center gap-3">
            <Button className="max-sm:h-11" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
              {cancel.isPending ? 'Canceling...' : 'Cancel Leaving'}
            </Button>
            <DownloadData />
          </div>
        }
      />
    </main>
  )
}
