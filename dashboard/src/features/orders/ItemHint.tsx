import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { completionsQuery } from '@/api/items'
import type { Item } from '@/api/types'
import { Button } from '@/components/ui/button'
import type { OrderForm } from './OrderFields'

// One height whatever it says: what is below must not move while somebody types.
const room =
  'flex h-8 items-center gap-x-1 overflow-hidden text-muted-foreground text-sm max-sm:h-11 max-sm:leading-tight'

/**
 * What is known of the item that is typed: which one was probably meant, or the profession and level that make it. Each is taken
 * with a press; nothing changes by itself.
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
  const { named, near } = data
  const set = (field: 'itemName' | 'category' | 'levelRequirement', value: string) =>
    form.setValue(field, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  if (near) {
    return (
      <output className={room}>
        Did you mean
        <Take onTake={() => set('itemName', near.name)}>{near.name}</Take>?
      </output>
    )
  }
  const proposed = named?.proposes
  const unlike = proposed?.category && (proposed.category !== category || String(proposed.level ?? '') !== level)
  if (!named || !proposed?.category || !unlike) return <output className={room} />
  const { category: maker, level: needed } = proposed
  return (
    <output className={room}>
      {describe(named)}
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
      className="h-full min-w-0 p-0 text-left leading-tight whitespace-normal"
      // The press leaves the focus in the field that it fills in.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {children}
    </Button>
  )
}
