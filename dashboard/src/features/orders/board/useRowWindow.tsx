import { type RefObject, Suspense, useState } from 'react'
import { useIdle } from '@/hooks/useIdle'
import { late } from '@/lib/late'
import type { Span } from './RowWindow'

const RowWindow = late(() => import('./RowWindow').then((m) => m.default).catch(() => Nothing))
const Nothing = () => null // then every row is drawn

type Options = {
  /** The element that begins with the first row. */
  start: RefObject<HTMLElement | null>
  count: number
  rowHeight: number
  /** The row that has or may get the focus: it is rendered wherever it is. */
  pinned: number
}

const firstRows = () => Math.ceil(window.innerHeight / 40) // as many as the window has room for

/** The rows to render: of a thousand requests some thirty. The code that follows the window is loaded when the first rows can be
 * pressed. `follower` belongs beside the rows. */
export function useRowWindow({ start, count, rowHeight, pinned }: Options) {
  const [span, setSpan] = useState<Span>()
  const drawn = useIdle(firstRows, span ? 0 : count)
  const [first, last] = span ?? [0, drawn - 1]
  const indexes = Array.from({ length: Math.max(0, Math.min(last, count - 1) - first + 1) }, (_, i) => first + i)
  if (pinned >= 0 && pinned < first) indexes.unshift(pinned)
  else if (pinned > last && pinned < count) indexes.push(pinned)
  return {
    height: count * rowHeight,
    rows: indexes.map((index) => ({ index, offset: index * rowHeight })),
    follower: (
      <Suspense>
        <RowWindow start={start} count={count} rowHeight={rowHeight} onSpan={setSpan} />
      </Suspense>
    ),
  }
}
