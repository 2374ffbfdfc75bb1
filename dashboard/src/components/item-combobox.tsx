import { Search } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useDelayedValue } from '@/hooks/useDelayedValue'
import { cn } from '@/lib/cn'
import { categoryName } from '@/lib/market'
import { t } from '@/lib/texts'
import { CategoryIcon } from './category'
import { Listbox } from './item-listbox'
import { type ItemGroup, type ItemOption, makerOf, useItemOptions } from './item-options'
import { Tag } from './tag'
import { Input } from './ui/input'

type Props = Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'type'> & {
  /** The name as typed. */
  value: string
  onValue: (name: string) => void
  /** An option was taken. The value is set before. */
  onTake?: (option: ItemOption) => void
  /** Offers items of the catalogue only: no names of requests, and no new one. */
  known?: boolean
  /** Leaves an item out. */
  without?: string
}

/**
 * The name of an item, typed or chosen from a list (the ARIA pattern of an editable combobox). Nothing is chosen by itself: typed
 * text stays until an option is taken with Enter or a press.
 */
export function ItemCombobox({
  value,
  onValue,
  onTake,
  known = false,
  without,
  className,
  onBlur,
  ref,
  ...input
}: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [openFor, setOpenFor] = useState<string>() // a name that is set from outside opens nothing
  const [active, setActive] = useState(-1)
  const { groups: all, named, current } = useItemOptions(value, known)
  const groups = without ? withoutName(all, without) : all
  const typed = value.trim()
  const options = groups.flatMap((group) => group.options)
  const count = options.length
  const isNew = !known && typed !== '' && !options.some(({ name }) => name.toLowerCase() === typed.toLowerCase())
  if (isNew) options.push({ name: typed })
  const shown = openFor === value && count > 0 // with nothing to choose there is no list
  const at = shown ? Math.min(active, options.length - 1) : -1
  const idOf = (option: number) => `${id}-${option}`

  function close() {
    setOpenFor(undefined)
    setActive(-1)
  }
  useEscape(shown, close)
  useEffect(() => {
    if (at >= 0) document.getElementById(`${id}-${at}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [id, at])

  function take(option: ItemOption) {
    close()
    onValue(option.name)
    onTake?.(option)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const go = (to: number) => {
      event.preventDefault()
      setOpenFor(value)
      setActive(to)
    }
    const last = options.length - 1
    if (event.key === 'ArrowDown') go(at >= last ? 0 : at + 1)
    else if (event.key === 'ArrowUp') go(at <= 0 ? last : at - 1)
    else if (event.key === 'Home' && at >= 0) go(0)
    else if (event.key === 'End' && at >= 0) go(last)
    else if (event.key === 'Tab')
      close() // before the focus goes on, which would find the list first
    else if (event.key === 'Enter' && shown) {
      event.preventDefault() // it sends no form
      const option = options[at]
      if (option) take(option)
      else close()
    }
  }

  return (
    <div className={cn('relative', className)}>
      <span aria-hidden className="absolute inset-y-0 left-3 flex items-center text-muted-foreground">
        {named && !shown ? (
          <CategoryIcon category={makerOf(named)} className="size-4" />
        ) : (
          <Search className="size-4" />
        )}
      </span>
      <Input
        {...input}
        ref={(element) => {
          field.current = element
          if (typeof ref === 'function') ref(element)
          else if (ref) ref.current = element
        }}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={shown ? `${id}-list` : undefined}
        aria-activedescendant={at >= 0 ? idOf(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        className={cn('pl-9', shown ? 'pr-28' : named?.madeBy[0] && 'pr-36')}
        value={value}
        onChange={(event) => {
          onValue(event.target.value)
          setOpenFor(event.target.value.trim() === '' ? undefined : event.target.value)
          setActive(-1)
        }}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          close()
          onBlur?.(event)
        }}
      />
      <span
        aria-hidden
        className="tabular pointer-events-none absolute inset-y-0 right-3 flex max-w-32 items-center text-muted-foreground text-xs"
      >
        {shown
          ? t('parts_item_found', { count })
          : named?.madeBy[0] && (
              <Tag tone="outline" className="block max-w-full truncate">
                {categoryName(named.madeBy[0])} {named.madeAtLevel}
              </Tag>
            )}
      </span>
      <Count count={shown && current ? count : -1} />
      {shown && (
        <Listbox
          field={field}
          id={`${id}-list`}
          groups={groups}
          newName={isNew ? typed : undefined}
          {...{ typed, active: at, idOf, onTake: take }}
        />
      )}
    </div>
  )
}

const withoutName = (groups: ItemGroup[], without: string) =>
  groups
    .map(({ kind, options }) => ({ kind, options: options.filter(({ name }) => name !== without) }))
    .filter(({ options }) => options.length > 0)

/** Says how many items there are, once typing pauses. */
function Count({ count }: { count: number }) {
  const said = useDelayedValue(count, 500)
  return (
    <span role="status" className="sr-only">
      {said >= 0 && said === count && t('parts_item_found_keys', { count: said })}
    </span>
  )
}

/** The first Escape closes the list, the next one its dialog. Dialogs listen at the document. */
function useEscape(shown: boolean, close: () => void) {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!shown) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      latest.current()
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [shown])
}
