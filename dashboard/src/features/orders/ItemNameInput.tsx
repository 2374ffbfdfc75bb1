import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useDeferredValue, useId } from 'react'
import { itemsQuery } from '@/api/orders'
import { Input } from '@/components/ui/input'

/** The name of an item, with suggestions from the operator's list and earlier requests. `typed` is its
 * value. */
export function ItemNameInput({ typed, ...input }: { typed: string } & ComponentProps<typeof Input>) {
  const list = useId()
  const text = useDeferredValue(typed.trim())
  const { data: items = [] } = useQuery({ ...itemsQuery(text), placeholderData: keepPreviousData })
  return (
    <>
      <Input {...input} list={list} autoComplete="off" />
      <datalist id={list}>
        {items.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
