import { afterEach, expect, test, vi } from 'vitest'
import { type ConnectionState, subscribeToEvents } from './events'

class Stream extends EventTarget {
  static all: Stream[] = []
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  closed = false
  constructor() {
    super()
    Stream.all.push(this)
  }
  opens() {
    if (!this.closed) this.onopen?.()
  }
  close() {
    this.closed = true
  }
}

afterEach(() => {
  Stream.all = []
  vi.unstubAllGlobals()
})

test('a stream that was about to open does not say that an offline page is live', () => {
  vi.stubGlobal('EventSource', Stream)
  const said: ConnectionState[] = []
  const kinds: string[] = []
  const stop = subscribeToEvents({ onConnection: (now) => said.push(now), onEvent: (event) => kinds.push(event.kind) })

  window.dispatchEvent(new Event('offline'))
  Stream.all[0]?.opens()
  expect(said).toEqual(['lost'])

  window.dispatchEvent(new Event('online'))
  Stream.all[1]?.opens()
  expect(said).toEqual(['lost', 'live'])
  expect(kinds).toEqual(['resync']) // what happened meanwhile was missed
  stop()
})
