import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useDeferredValue } from 'react'
import { completionsQuery } from '@/api/items'
import type { Item } from '@/api/types'
import { Button } from '@/components/ui/button'
import type { OrderForm } from './OrderFields'

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
        Did you mean <Take onTake={() => set('itemName', near.name)}>{near.name}</Take>?
      </output>
    )
  }
  if (!named && items.length > 0) {
    const ofKind = items.filter(({ kind }) => kind.toLowerCase() === text.toLowerCase())
    return (
      <output className={room}>
        {ofKind.length > 0
          ? 'Several items are called that. Which one? '
          : "The market doesn't know this item. Near it: "}
        {(ofKind.length > 0 ? ofKind : items.slice(0, 3)).map(({ id, name }, at) => (
          <Fragment key={id}>
            {at > 0 && ', '}
            <Take onTake={() => set('itemName', name)}>{name}</Take>
          </Fragment>
        ))}
        . You can post it as typed.
      </output>
    )
  }
  if (!named) return <output className={room}>The market doesn't know this item. You can post it as typed.</output>
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
        {needed === null ? `Use ${maker}` : `Use ${maker} ${needed}+`}
      </Take>
    </output>
  )
}

const describe = ({ madeBy, madeAtLevel }: Item) =>
  `Made by ${madeBy.join(', ')}${madeAtLevel ? ` at level ${madeAtLevel}` : ''}.`

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
