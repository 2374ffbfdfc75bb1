// One stream of news from the server. It says what has changed and never what it is now: readers ask again.

export type Change = { orders: number[]; mine: boolean }

export type News = ({ kind: 'change' } & Change) | { kind: 'resync' } // something may have been missed: everything shown is in doubt

export type Link = 'connecting' | 'live' | 'lost'

type Options = {
  onNews: (news: News) => void
  onLink: (link: Link) => void
}

const firstRetry = 1000 // ms; doubled each time
const longestRetry = 15_000
const hiddenFor = 30_000 // ms until a tab nobody looks at gives its connection back

/** Listens until the returned function is called. The stream heals by itself; after a gap it says "resync". A tab out of
 * sight hangs up, because a browser grants a server six connections in all its tabs together. */
export function listen({ onNews, onLink }: Options): () => void {
  let source: EventSource | null = null
  let retry = firstRetry
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let hideTimer: ReturnType<typeof setTimeout> | undefined
  let missed = false // the next connection has a gap before it

  const connect = () => {
    clearTimeout(retryTimer)
    source?.close()
    source = new EventSource('/api/events')
    source.onopen = () => {
      retry = firstRetry
      onLink('live')
      if (missed) onNews({ kind: 'resync' })
      missed = false
    }
    source.onerror = () => {
      missed = true
      onLink('lost')
      source?.close()
      source = null
      retryTimer = setTimeout(connect, retry * (0.75 + Math.random() / 2))
      retry = Math.min(longestRetry, retry * 2)
    }
    source.addEventListener('change', (event) => onNews({ kind: 'change', ...parseChange(event.data) }))
    source.addEventListener('resync', () => onNews({ kind: 'resync' }))
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
    missed = true
    onLink('lost')
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

function parseChange(data: string): Change {
  const { orders, mine } = JSON.parse(data) as Partial<Change>
  return { orders: orders ?? [], mine: mine ?? false }
}
