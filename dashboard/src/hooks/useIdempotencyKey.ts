import { useRef } from 'react'
import { ApiError } from '@/api/client'
import { uuid } from '@/lib/uuid'

type Write<C> = { content: C; text: string; key: string; unknown: boolean }

/** Returns idempotency keys, so that a retried write takes effect once. The same content gets the
 * same key until the write succeeds; other content gets a new key. */
export function useIdempotencyKey<C = unknown>() {
  const last = useRef<Write<C> | null>(null)
  return useRef({
    keyFor(content: C): string {
      const text = JSON.stringify(content)
      if (last.current?.text !== text) last.current = { content, text, key: uuid(), unknown: false }
      return last.current.key
    },
    /** Sends a write that must not happen twice. While the outcome of the last write is unknown, that
     * write is sent again instead, even if the content has changed since. */
    async once<T>(content: C, send: (content: C, key: string) => Promise<T>): Promise<T> {
      const write = last.current?.unknown ? last.current : { content, key: this.keyFor(content) }
      try {
        const answer = await send(write.content, write.key)
        last.current = null
        return answer
      } catch (error) {
        if (last.current) last.current.unknown = error instanceof ApiError && error.outcomeUnknown
        throw error
      }
    },
    succeeded() {
      last.current = null
    },
  }).current
}
