import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useRef } from 'react'
import { completionsQuery } from '@/api/items'
import type { Completions } from '@/api/types'
import { game } from '@/lib/game'
import { isOn } from '@/lib/site'
import type { OrderForm } from './orderForm'

/** Sets the category of a new request to the profession of its item or kind, until the user chooses another one. */
export function useItemCategory(form: OrderForm) {
  const text = useDeferredValue(form.watch('itemName').trim())
  const known = useQuery({ ...completionsQuery(text), enabled: isOn('items') && text.length > 1 }).data
  const proposed = known && professionOf(known, text)
  const shown = useRef<string>(game.default) // what it was set to last; another value was chosen
  useEffect(() => {
    const untouched = form.getValues('category') === shown.current && !form.getFieldState('category').isTouched
    if (!untouched) return
    shown.current = proposed ?? game.default
    if (form.getValues('category') !== shown.current) form.setValue('category', shown.current)
  }, [form, proposed])
}

/** The profession of the item that is named, or the one that makes all items of the kind that is named. */
function professionOf({ named, items }: Completions, text: string): string | null | undefined {
  if (named) return named.proposes.category
  const ofKind = items.filter(({ kind }) => kind.toLowerCase() === text.toLowerCase())
  const professions = new Set(ofKind.map(({ proposes }) => proposes.category))
  return professions.size === 1 ? ofKind[0]?.proposes.category : undefined
}
