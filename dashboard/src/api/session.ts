// All tabs of a browser share one session. A tab notifies the others when the session changes.

export type SessionMessage =
  | { kind: 'left' } // the user has signed out
  | { kind: 'here'; user: number } // this user is signed in now

const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('tradepost.session') : null

/** Notifies every other tab. */
export function notifyTabs(message: SessionMessage) {
  tabs?.postMessage(message)
}

/** Listens to messages from other tabs. Returns a function that stops listening. */
export function onTabMessage(listener: (message: SessionMessage) => void): () => void {
  const onMessage = ({ data }: MessageEvent<SessionMessage>) => listener(data)
  tabs?.addEventListener('message', onMessage)
  return () => tabs?.removeEventListener('message', onMessage)
}

const signedOutListeners = new Set<() => void>()

/** Reports that the server answered 401. */
export function reportSignedOut() {
  for (const listener of signedOutListeners) listener()
}

/** Calls the listener after a 401. Returns a function that stops listening. */
export function onReportedSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener)
  return () => {
    signedOutListeners.delete(listener)
  }
}
