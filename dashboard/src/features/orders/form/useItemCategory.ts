import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useRef } from 'react'
import { completionsQuery } from '@/api/items'
import { game } from '@/lib/game'
import { isOn } from '@/lib/site'
import type { OrderForm } from './orderForm'

/** Sets the category of a new request to the profession of its item, while nobody has chosen another than the one it opened with. */
export function useItemCategory(form: OrderForm) {
  const text = useDeferredValue(form.watch('itemName').trim())
  const proposed = useQuery({ ...completionsQuery(text), enabled: isOn('items') && text.length > 1 }).data?.named
    ?.proposes.category
  const shown = useRef<string>(game.default) // what it was set to last; another value was chosen
  useEffect(() => {
    const untouched = form.getValues('category') === shown.current && !form.getFieldState('category').isTouched
    if (!untouched) return
    shown.current = proposed ?? game.default
    if (form.getValues('category') !== shown.current) form.setValue('category', shown.current)
  }, [form, proposed])
}
