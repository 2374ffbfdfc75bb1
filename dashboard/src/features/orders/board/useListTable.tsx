import { startTransition, useEffect, useState } from 'react'
import { columns, type ListTable, type MakeTable, type Sorting, type TableMeta } from './listColumns'
import type { Row } from './listRows'

let loaded: MakeTable | undefined

/** The list's table. TanStack Table's code is loaded when the first rows can be pressed; until then the columns draw the rows
 * by themselves. Both draw the same elements, so that nothing is lost when one takes the place of the other. */
export function useListTable(rows: Row[], sorting: Sorting, meta: TableMeta): ListTable {
  const [table, setTable] = useState(() => loaded?.(columns))
  useEffect(() => {
    if (table) return
    let stale = false
    import('./tanstackTable').then(
      ({ makeTable }) => {
        loaded = makeTable
        if (!stale) startTransition(() => setTable(() => makeTable(columns)))
      },
      () => {}, // the rows are there without it
    )
    return () => {
      stale = true
    }
  }, [table])
  return (table ?? plainTable)(rows, sorting, meta)
}

function plainTable(rows: Row[], { column, descending }: Sorting, meta: TableMeta): ListTable {
  return {
    heads: columns.map(({ id, header, meta }) => ({
      id,
      header,
      meta,
      sorted: id === column && (descending ? 'desc' : 'asc'),
    })),
    rows: rows.map((original, index) => ({
      id: original.key,
      original,
      cells: () =>
        columns.map(({ id, meta: { className } = {}, cell: Cell }) => ({
          id,
          className,
          content: <Cell row={{ original, index }} table={{ options: { meta } }} />,
        })),
    })),
  }
}
