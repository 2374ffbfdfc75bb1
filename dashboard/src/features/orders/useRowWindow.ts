import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'

type Options = {
  /** The element that begins with the first row. */
  start: RefObject<HTMLElement | null>
  count: number
  rowHeight: number
  /** The row that has or may get the focus: it is rendered wherever it is. */
  pinned: number
  keyOf: (index: number) => number | string
}

/** The rows in and near the window: of a thousand requests some thirty are rendered. */
export function useRowWindow({ start, count, rowHeight, pinned, keyOf }: Options) {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (!start.current) return
    const now = Math.round(start.current.getBoundingClientRect().top + window.scrollY)
    setTop(now)
  })
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    scrollMargin: top,
    overscan: 10,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const shown = defaultRangeExtractor(range)
        if (pinned < 0 || pinned >= range.count || shown.includes(pinned)) return shown
        return [...shown, pinned].sort((a, b) => a - b)
      },
      [pinned],
    ),
  })
  return {
    height: count * rowHeight,
    rows: rows.getVirtualItems().map(({ index, key }) => ({ index, key, offset: index * rowHeight })),
  }
}
