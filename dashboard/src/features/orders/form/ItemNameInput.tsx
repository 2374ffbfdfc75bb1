import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useDeferredValue, useId } from 'react'
import { completionsQuery } from '@/api/items'
import { itemsQuery } from '@/api/orders'
import { Input } from '@/components/ui/input'
import { isOn } from '@/lib/site'

/** The name of an item, with suggestions from the catalogue, the operator's list and earlier requests. `typed` is its
 * value. */
export function ItemNameInput({ typed, ...input }: { typed: string } & ComponentProps<typeof Input>) {
  const list = useId()
  const text = useDeferredValue(typed.trim())
  const { data: items = [] } = useQuery({ ...itemsQuery(text), placeholderData: keepPreviousData })
  const { data: known } = useQuery({
    ...completionsQuery(text),
    enabled: isOn('items') && text.length > 1,
    placeholderData: keepPreviousData,
  })
  const names = new Set([...(known?.items.map((item) => item.name) ?? []), ...items])
  return (
    <>
      <Input {...input} list={list} autoComplete="off" />
      <datalist id={list}>
        {[...names].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
