import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** The first and the last row in or near the window. */
export type Span = readonly [first: number, last: number]

type Props = {
  /** The element that begins with the first row. */
  start: RefObject<HTMLElement | null>
  count: number
  rowHeight: number
  onSpan: (span: Span) => void
}

/** Reports which rows are in or near the window. It draws nothing, so that it can be loaded while the rows are in use. */
export default function RowWindow({ start, count, rowHeight, onSpan }: Props) {
  const [top, setTop] = useState(0)
  const near = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    scrollMargin: top,
    overscan: 10,
  }).getVirtualItems()
  // A position that was restored in the frame in which it was left makes no event of its own.
  useEffect(() => void window.dispatchEvent(new Event('scroll')), [])
  const first = near[0]?.index ?? 0
  const last = near.at(-1)?.index ?? -1
  useLayoutEffect(() => {
    if (start.current) setTop(Math.round(start.current.getBoundingClientRect().top + window.scrollY))
  })
  useLayoutEffect(() => {
    if (last >= 0) onSpan([first, last])
  }, [first, last, onSpan])
  return null
}
