import { type ColumnDef, createTable, flexRender, getCoreRowModel, type RowData } from '@tanstack/react-table'
import type { ColumnMeta as OurColumnMeta, TableMeta as OurTableMeta } from './listColumns'
import type { Row } from './listRows'
import type { MakeTable } from './useListTable'

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData extends RowData, TValue> extends OurColumnMeta {}
  interface TableMeta<TData extends RowData> extends OurTableMeta {}
}

/** The list's table, on TanStack Table. What sorts, and what is shown, is told it with each draw. */
export const makeTable: MakeTable = (columns) => {
  const table = createTable<Row>({
    columns: columns as ColumnDef<Row>[],
    data: [],
    getCoreRowModel: getCoreRowModel(),
    getRowId: (row) => row.key,
    manualSorting: true, // the server sorts
    state: {},
    onStateChange() {},
    renderFallbackValue: null,
  })
  return (data, { column, descending }, meta) => {
    table.setOptions((before) => ({
      ...before,
      data,
      meta,
      state: { ...table.initialState, sorting: [{ id: column, desc: descending }] },
    }))
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
        row.getVisibleCells().map(({ id, column: { columnDef }, getContext }) => ({
          id: columnDef.id ?? id,
          className: columnDef.meta?.className,
          content: flexRender(columnDef.cell, getContext()),
        })),
    }))
    return { heads, rows }
  }
}
