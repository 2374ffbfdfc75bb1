import { useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { snoozeStock, stockKeys, stopStock } from '@/api/stock'
import type { Notice } from '@/api/types'
import { muteBuyer, pauseWatch, snoozeWatch, watchesKey } from '@/api/watches'
import { LinkButton } from '@/components/buttons'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { showToast } from '@/lib/toasts'

/** What one can do about a request that fits a watch or stock, as in the direct message. */
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
      void queryClient.invalidateQueries({ queryKey: stockKeys.own })
    } catch (error) {
      showToast(messageFor(error, 'Failed to save it. Please try again.'), 'error')
    }
  }
  const snooze = (until: 'hour' | 'tomorrow', done: string) =>
    act([until, notice.id], done, (key) =>
      watchId === null ? snoozeStock(notice.id, until, key) : snoozeWatch(watchId, until, key),
    )
  const stop = () =>
    watchId === null
      ? act(['stop', notice.id], 'It alerts you no more. My Stock turns it on again.', (key) =>
          stopStock(notice.id, key),
        )
      : act(['stop', watchId], 'This watch is paused.', (key) => pauseWatch(watchId, true, key))
  return (
    <>
      {orderId !== null && <LinkButton onClick={() => open({ name: 'offer', request: orderId })}>Offer</LinkButton>}
      <LinkButton onClick={() => snooze('hour', 'Quiet for an hour.')}>Snooze 1 hour</LinkButton>
      <LinkButton onClick={() => snooze('tomorrow', 'Quiet until tomorrow.')}>Until tomorrow</LinkButton>
      <LinkButton
        onClick={() =>
          act(['mute', notice.id], "You hear nothing more of this buyer's requests.", (key) =>
            muteBuyer(notice.id, key),
          )
        }
      >
        Not this buyer
      </LinkButton>
      <LinkButton onClick={stop}>Stop</LinkButton>
    </>
  )
}
