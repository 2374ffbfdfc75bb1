// One event stream from the server. An event names what has changed, and says what it is now where it can; otherwise clients
// refetch the data.
import type { Described } from './liveOrders'
import type { Counts, Order } from './types'

/** `described` and `counts` are missing when the data has to be asked for. */
export type Change = { orders: number[]; mine: boolean; described?: Described; counts?: Counts }

/** A resync means that events may have been missed: everything shown has to be refetched. */
type LiveEvent = ({ kind: 'change' } & Change) | { kind: 'resync' }

export type ConnectionState = 'connecting' | 'live' | 'lost'

type Options = {
  onEvent: (event: LiveEvent) => void
  onConnection: (state: ConnectionState) => void
}

const firstRetry = 1000 // ms; doubled each time
const longestRetry = 15_000
const hiddenFor = 30_000 // ms until a hidden tab closes its connection

/** Opens the event stream. Returns a function that closes it. The stream reconnects by itself and
 * sends "resync" after a gap. A hidden tab disconnects, because a browser allows six connections per
 * server in all tabs together. */
export function subscribeToEvents({ onEvent, onConnection }: Options): () => void {
  let source: EventSource | null = null
  let retry = firstRetry
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let hideTimer: ReturnType<typeof setTimeout> | undefined
  let missed = false // whether events may be lost before the next connection

  /** Closes the stream, so that one that was about to open does not say later that the page is live. */
  const lost = () => {
    missed = true
    onConnection('lost')
    source?.close()
    source = null
    clearTimeout(retryTimer)
    retryTimer = setTimeout(connect, retry * (0.75 + Math.random() / 2))
    retry = Math.min(longestRetry, retry * 2)
  }

  const connect = () => {
    clearTimeout(retryTimer)
    source?.close()
    source = new EventSource('/api/events')
    source.onopen = () => {
      retry = firstRetry
      onConnection('live')
      if (missed) onEvent({ kind: 'resync' })
      missed = false
    }
    source.onerror = lost
    source.addEventListener('change', (event) => onEvent({ kind: 'change', ...parseChange(event.data) }))
    source.addEventListener('resync', () => onEvent({ kind: 'resync' }))
  }

  const reconnect = () => {
    retry = firstRetry
    connect()
  }

  const onVisibility = () => {
    clearTimeout(hideTimer)
    if (document.visibilityState === 'visible') {
      if (!source) reconnect()
      return
    }
    hideTimer = setTimeout(() => {
      missed = true
      clearTimeout(retryTimer)
      source?.close()
      source = null
    }, hiddenFor)
  }

  const onOffline = () => {
    if (source) lost()
  }

  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', reconnect)
  window.addEventListener('offline', onOffline)
  connect()

  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', reconnect)
    window.removeEventListener('offline', onOffline)
    clearTimeout(retryTimer)
    clearTimeout(hideTimer)
    source?.close()
  }
}

type ChangeData = { orders?: number[]; mine?: boolean; changed?: Order[]; gone?: number[]; counts?: Counts }

function parseChange(data: string): Change {
  const { orders = [], mine = false, changed, gone, counts } = JSON.parse(data) as ChangeData
  if (!changed && !gone) return { orders, mine }
  const described = new Map<number, Order | null>(changed?.map((order) => [order.id, order]))
  for (const id of gone ?? []) described.set(id, null)
  return { orders, mine, described, counts }
}
