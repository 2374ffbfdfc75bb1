import { useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import type { Notice } from '@/api/types'
import { muteBuyer, pauseWatch, snoozeWatch, watchesKey } from '@/api/watches'
import { LinkButton } from '@/components/buttons'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { showToast } from '@/lib/toasts'

/** What one can do about a request that fits a watch, as in the direct message. */
export function AlertActions({ notice }: { notice: Notice }) {
  const { open } = useDialogs()
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { orderId, watchId = null } = notice

  async function act(content: unknown[], done: string, send: (key: string) => Promise<unknown>) {
    try {
      await writes.once(content, (_, key) => send(key))
      showToast(done)
      void queryClient.invalidateQueries({ queryKey: watchesKey })
    } catch (error) {
      showToast(messageFor(error, 'Failed to save it. Please try again.'), 'error')
    }
  }
  return (
    <>
      {orderId !== null && <LinkButton onClick={() => open({ name: 'offer', request: orderId })}>Offer</LinkButton>}
      {watchId !== null && (
        <>
          <LinkButton
            onClick={() => act(['hour', watchId], 'Quiet for an hour.', (key) => snoozeWatch(watchId, 'hour', key))}
          >
            Snooze 1 hour
          </LinkButton>
          <LinkButton
            onClick={() =>
              act(['tomorrow', watchId], 'Quiet until tomorrow.', (key) => snoozeWatch(watchId, 'tomorrow', key))
            }
          >
            Until tomorrow
          </LinkButton>
        </>
      )}
      <LinkButton
        onClick={() =>
          act(['mute', notice.id], "You hear nothing more of this buyer's requests.", (key) =>
            muteBuyer(notice.id, key),
          )
        }
      >
        Not this buyer
      </LinkButton>
      {watchId !== null && (
        <LinkButton
          onClick={() => act(['stop', watchId], 'This watch is paused.', (key) => pauseWatch(watchId, true, key))}
        >
          Stop
        </LinkButton>
      )}
    </>
  )
}
