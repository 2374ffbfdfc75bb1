import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { completionsQuery } from '@/api/items'
import { itemsQuery } from '@/api/orders'
import type { Item } from '@/api/types'
import { isOn } from '@/lib/site'

/** An item that can be chosen; a name that the catalogue lacks has no item. */
export type ItemOption = { name: string; item?: Item }

/** Options below a heading: the variants of a kind have its name, other items have none. */
export type ItemGroup = { kind: string; options: ItemOption[] }

/**
 * The items that fit the typed text, in groups. `known` leaves out names that the catalogue lacks. `current` says whether they fit
 * the present text: until the answer comes, the previous ones are shown.
 */
export function useItemOptions(typed: string, known = false) {
  const text = useDeferredValue(typed.trim())
  const asked = useQuery({ ...itemsQuery(text), enabled: !known, placeholderData: keepPreviousData })
  const completed = useQuery({
    ...completionsQuery(text),
    enabled: isOn('items') && text.length > 1,
    placeholderData: keepPreviousData,
  })
  const items = text.length > 1 ? (completed.data?.items ?? []) : []
  const current = text === typed.trim() && !completed.isPlaceholderData
  const named = asked.data ?? []
  const names = asked.isPlaceholderData ? named.filter((name) => fits(name, typed)) : named
  return {
    groups: grouped(items, known ? [] : names),
    named: current && text.length > 1 ? completed.data?.named : undefined,
    current: current && !asked.isPlaceholderData,
  }
}

/** Whether a name has every typed word. The names of the text before are shown until the answer comes, and would not fit. */
const fits = (name: string, typed: string) =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word))

/** The variants of a kind come together in their own order, where the best of them is; names without an item come last. */
export function grouped(items: readonly Item[], names: readonly string[]): ItemGroup[] {
  const groups: ItemGroup[] = []
  for (const item of items) {
    const variants = item.kind ? items.filter(({ kind }) => kind === item.kind) : []
    const kind = variants.length > 1 ? item.kind : ''
    const last = groups.at(-1)
    if (kind && groups.some((group) => group.kind === kind)) continue
    if (kind) groups.push({ kind, options: variants.sort(byStrength).map(optionOf) })
    else if (last && !last.kind) last.options.push(optionOf(item))
    else groups.push({ kind: '', options: [optionOf(item)] })
  }
  const known = new Set(items.map(({ name }) => name.toLowerCase()))
  const others = names.filter((name) => !known.has(name.toLowerCase())).map((name) => ({ name }))
  const last = groups.at(-1)
  if (others.length > 0 && last && !last.kind) last.options.push(...others)
  else if (others.length > 0) groups.push({ kind: '', options: others })
  return groups
}

const optionOf = (item: Item): ItemOption => ({ name: item.name, item })

const byStrength = (a: Item, b: Item) =>
  (a.madeAtLevel ?? 0) - (b.madeAtLevel ?? 0) || a.name.localeCompare(b.name, undefined, { numeric: true })

/** The profession that an item is shown with. */
export const makerOf = (item?: Item) => item?.proposes.category ?? item?.madeBy[0]

/** A name in parts, those that were typed marked. */
export function markedParts(name: string, typed: string): { text: string; marked: boolean; start: number }[] {
  const words = typed
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  if (words.length === 0) return [{ text: name, marked: false, start: 0 }]
  const found = new RegExp(`(${words.join('|')})`, 'gi')
  let start = 0
  return name.split(found).map((text, i) => {
    start += text.length
    return { text, marked: i % 2 === 1, start: start - text.length }
  })
}
