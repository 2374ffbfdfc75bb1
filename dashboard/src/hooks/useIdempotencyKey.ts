import { useRef } from 'react'
import { uuid } from '@/lib/uuid'

/** Names a write so that repeating it has the effect of one. The same content gets the same key until it went through;
 * other content is another write and gets another key. */
export function useIdempotencyKey() {
  const last = useRef<{ content: string; key: string } | null>(null)
  return useRef({
    keyFor(content: unknown): string {
      const text = JSON.stringify(content)
      if (last.current?.content !== text) last.current = { content: text, key: uuid() }
      return last.current.key
    },
    wentThrough() {
      last.current = null
    },
  }).current
}
