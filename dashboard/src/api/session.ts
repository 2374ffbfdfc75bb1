// All tabs of a browser share one session. What one of them does to it, or learns of it, the others hear.

export type SessionNews =
  | { kind: 'left' } // somebody has signed out
  | { kind: 'here'; user: number } // this user is signed in now

const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('tradepost.session') : null

/** Tells every other tab. */
export function tellTabs(news: SessionNews) {
  tabs?.postMessage(news)
}

/** Hears what other tabs tell, until the returned function is called. */
export function hearTabs(listener: (news: SessionNews) => void): () => void {
  const hear = ({ data }: MessageEvent<SessionNews>) => listener(data)
  tabs?.addEventListener('message', hear)
  return () => tabs?.removeEventListener('message', hear)
}

const doubters = new Set<() => void>()

/** The server has answered that nobody is signed in. */
export function doubtSession() {
  for (const listener of doubters) listener()
}

export function whenDoubted(listener: () => void): () => void {
  doubters.add(listener)
  return () => {
    doubters.delete(listener)
  }
}
