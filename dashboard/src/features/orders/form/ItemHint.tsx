import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useDeferredValue } from 'react'
import { completionsQuery } from '@/api/items'
import type { Item } from '@/api/types'
import { Button } from '@/components/ui/button'
import { categoryName } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import type { OrderForm } from './orderForm'

const room = 'block empty:hidden'

/**
 * What is known of the item that is typed: which one was probably meant, or the profession and level that make it. Each is taken
 * with a press.
 */
export function ItemHint({ form }: { form: OrderForm }) {
  const [typed, category, level] = form.watch(['itemName', 'category', 'levelRequirement'])
  const text = useDeferredValue(typed.trim())
  const { data, isPlaceholderData } = useQuery({
    ...completionsQuery(text),
    enabled: text.length > 1,
    placeholderData: keepPreviousData,
  })
  if (!data || isPlaceholderData || text.length < 2) return <output className={room} />
  const { named, near, items } = data
  const set = (field: 'itemName' | 'category' | 'levelRequirement', value: string) =>
    form.setValue(field, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  if (near) {
    return (
      <output className={room}>
        {rich('orders_did_you_mean', { item: <Take onTake={() => set('itemName', near.name)}>{near.name}</Take> })}
      </output>
    )
  }
  if (!named && items.length > 0) {
    const ofKind = items.filter(({ kind }) => kind.toLowerCase() === text.toLowerCase())
    const listed = (shown: Item[]) =>
      shown.map(({ id, name }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Take onTake={() => set('itemName', name)}>{name}</Take>
        </Fragment>
      ))
    return (
      <output className={room}>
        {ofKind.length > 0
          ? rich('orders_several_items', { items: listed(ofKind) })
          : rich('orders_near_items', { items: listed(items.slice(0, 3)) })}
      </output>
    )
  }
  if (!named) return <output className={room}>{t('orders_unknown_item')}</output>
  const proposed = named.proposes
  const unlike = proposed.category && (proposed.category !== category || String(proposed.level ?? '') !== level)
  if (!proposed.category || !unlike) return <output className={room} />
  const { category: maker, level: needed } = proposed
  return (
    <output className={room}>
      {describe(named)}{' '}
      <Take
        onTake={() => {
          set('category', maker)
          set('levelRequirement', needed === null ? '' : String(needed))
        }}
      >
        {needed === null
          ? t('orders_use_profession', { profession: categoryName(maker) })
          : t('orders_use_profession_level', { profession: categoryName(maker), level: needed })}
      </Take>
    </output>
  )
}

function describe({ madeBy, madeAtLevel: level }: Item) {
  const professions = madeBy.map(categoryName).join(', ')
  return level ? t('orders_made_by_at_level', { professions, level }) : t('orders_made_by', { professions })
}

function Take({ onTake, children }: { onTake: () => void; children: ReactNode }) {
  return (
    <Button
      variant="link"
      className="inline h-auto p-0 text-left leading-tight whitespace-normal max-lg:py-1.5 max-sm:py-3"
      // The press leaves the focus in the field that it fills in.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {children}
    </Button>
  )
}
