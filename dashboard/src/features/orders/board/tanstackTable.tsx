import {
  type ColumnDef,
  constructTable,
  flexRender,
  metaHelper,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings'
import type { ColumnMeta, MakeTable, TableMeta } from './listColumns'
import type { Row } from './listRows'

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  rowSortingFeature,
  columnMeta: metaHelper<ColumnMeta>(),
  tableMeta: metaHelper<TableMeta>(),
})

/** The list's table, on TanStack Table. What sorts, and what is shown, is told it with each draw. */
export const makeTable: MakeTable = (columns) => {
  const table = constructTable<typeof features, Row>({
    features,
    columns: columns as ColumnDef<typeof features, Row>[],
    data: [],
    getRowId: (row) => row.key,
    manualSorting: true, // the server sorts
  })
  return (data, { column, descending }, meta) => {
    table.setOptions((before) => ({ ...before, data, meta, state: { sorting: [{ id: column, desc: descending }] } }))
    const heads = table.getFlatHeaders().map(({ id, column }) => ({
      id,
      header: column.columnDef.header as string,
      meta: column.columnDef.meta,
      sorted: column.getIsSorted(),
    }))
    const rows = table.getRowModel().rows.map((row) => ({
      id: row.id,
      original: row.original,
      cells: () =>
        row.getAllCells().map((cell) => ({
          id: cell.column.id,
          className: cell.column.columnDef.meta?.className,
          content: flexRender(cell.column.columnDef.cell, cell.getContext()),
        })),
    }))
    return { heads, rows }
  }
}
