import { type RefObject, useLayoutEffect, useRef } from 'react'
import { usePhone } from '@/hooks/usePhone'
import { cn } from '@/lib/cn'
import { categoryName } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import { CategoryIcon } from './category'
import { Amount } from './coins'
import { type ItemGroup, type ItemOption, makerOf, markedParts } from './item-options'
import { Kbd } from './ui/kbd'

type ChosenFrom = {
  typed: string
  active: number
  idOf: (option: number) => string
  onTake: (option: ItemOption) => void
}

type Props = ChosenFrom & {
  field: RefObject<HTMLInputElement | null>
  id: string
  groups: readonly ItemGroup[]
  newName?: string
}

/** The list of a combobox: items in groups, and below them the name that is typed. */
export function Listbox({ field, id, groups, newName, ...chosen }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const phone = usePhone()
  usePlace(list, field, phone)
  let next = 0
  const headed = groups.some(({ kind }) => kind)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it takes no press itself
    <div
      ref={list}
      // The press leaves the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      className={cn(
        'absolute inset-auto z-50 m-0 flex flex-col overflow-hidden border bg-popover p-0 text-popover-foreground shadow-lifted',
        phone ? 'border-x-0' : 'rounded-lg',
      )}
    >
      <div
        id={id}
        role="listbox"
        tabIndex={-1}
        aria-label={t('parts_item_list')}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5"
      >
        {groups.map(({ kind, options }) => {
          const heading = kind || (headed && t('parts_item_others'))
          const rows = options.map((option) => <Row key={option.name} option={option} at={next++} {...chosen} />)
          if (!heading) return rows
          return (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
            <div key={options[0]?.name} role="group" aria-label={heading}>
              <div
                aria-hidden
                className="tabular flex justify-between gap-3 px-2.5 pt-2 pb-1 text-muted-foreground text-xs"
              >
                <bdi>{heading}</bdi> <span>{options.length}</span>
              </div>
              {rows}
            </div>
          )
        })}
        {newName && <NewName name={newName} at={next} first={next === 0} {...chosen} />}
      </div>
      <div
        aria-hidden
        className="flex items-center gap-1.5 border-t px-3 py-1.5 text-muted-foreground text-xs pointer-coarse:hidden max-sm:hidden"
      >
        <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t('parts_item_choose')} <Kbd className="ml-2">Enter</Kbd> {t('parts_item_take')}{' '}
        <Kbd className="ml-2">Esc</Kbd> {t('parts_item_close')}
      </div>
    </div>
  )
}

type RowProps = ChosenFrom & { option: ItemOption; at: number }

const rowClass =
  'flex w-full cursor-pointer items-center gap-3 rounded-md px-2.5 text-left text-sm hover:bg-muted aria-selected:bg-accent aria-selected:text-accent-foreground'

function Row({ option, at, typed, active, idOf, onTake }: RowProps) {
  const { name, item } = option
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      id={idOf(at)}
      role="option"
      tabIndex={-1}
      aria-selected={at === active}
      className={cn(rowClass, 'min-h-13 py-1')}
      onClick={() => onTake(option)}
    >
      <span aria-hidden className="flex size-8 shrink-0 items-center justify-center rounded-md bg-muted">
        <CategoryIcon category={makerOf(item)} className="size-4" />
      </span>
      <span className="min-w-0 flex-1">
        <bdi className="block truncate">
          {markedParts(name, typed).map(({ text, marked, start }) =>
            marked ? (
              <mark
                key={start}
                className="bg-transparent font-semibold text-inherit underline decoration-primary underline-offset-2"
              >
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </bdi>{' '}
        <span className="tabular block truncate text-xs opacity-80">
          {item ? madeBy(item) : t('parts_item_asked_for')}
        </span>
      </span>
      {item?.summary && (
        <span className="tabular shrink-0 text-right text-xs">
          <span className="block min-h-4">
            {item.summary.traded !== null &&
              rich('parts_item_traded', { price: <Amount value={item.summary.traded} /> })}
          </span>{' '}
          <span className="block opacity-80">{t('parts_item_open', { count: item.summary.open })}</span>
        </span>
      )}
    </div>
  )
}

function madeBy({ madeBy: makers, madeAtLevel: level, kind }: NonNullable<ItemOption['item']>) {
  const professions = makers.map(categoryName).join(', ')
  if (!professions) return kind
  return level ? t('parts_item_made', { professions, level }) : professions
}

function NewName({ name, at, first, active, idOf, onTake }: ChosenFrom & { name: string; at: number; first: boolean }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      id={idOf(at)}
      role="option"
      tabIndex={-1}
      aria-selected={at === active}
      className={cn(rowClass, 'min-h-11 text-primary', !first && 'mt-1.5 rounded-t-none border-t')}
      onClick={() => onTake({ name })}
    >
      <span className="min-w-0 truncate underline underline-offset-2">
        {rich('parts_item_new', { name: <bdi>{name}</bdi> })}
      </span>
    </div>
  )
}

const px = (length: number) => [length, 'px'].join('')

const gap = 4
const most = 416

/**
 * Puts the list below the field, or above it where there is more room; on a phone it fills the window down to the keyboard. It is
 * above everything else, so that no dialog clips it, and stays inside of it in the document.
 */
function usePlace(list: RefObject<HTMLDivElement | null>, field: RefObject<HTMLInputElement | null>, phone: boolean) {
  useLayoutEffect(() => {
    const [shown, beside] = [list.current, field.current]
    if (!shown || !beside) return
    if (!shown.showPopover) return // an old browser: it is below the field
    shown.popover = 'manual'
    shown.style.position = 'fixed'
    shown.showPopover()
    const place = () => {
      const { top, bottom, left, width } = beside.getBoundingClientRect()
      const view = window.visualViewport
      const from = view?.offsetTop ?? 0
      const to = from + (view?.height ?? window.innerHeight)
      const [above, below] = [top - from - 2 * gap, to - bottom - 2 * gap]
      const over = !phone && below < 240 && above > below
      const { style } = shown
      style.left = phone ? '0' : px(left)
      style.width = phone ? '100vw' : px(Math.max(width, 300))
      style.top = over ? 'auto' : px(bottom + gap)
      style.bottom = over ? px(window.innerHeight - top + gap) : 'auto'
      style.height = phone ? px(Math.max(below + gap, 120)) : 'auto'
      style.maxHeight = phone ? 'none' : px(Math.min(over ? above : below, most))
    }
    if (phone && beside.getBoundingClientRect().top > window.innerHeight / 3) beside.scrollIntoView({ block: 'start' })
    place()
    window.addEventListener('scroll', place, true)
    window.addEventListener('resize', place)
    window.visualViewport?.addEventListener('resize', place)
    window.visualViewport?.addEventListener('scroll', place)
    return () => {
      window.removeEventListener('scroll', place, true)
      window.removeEventListener('resize', place)
      window.visualViewport?.removeEventListener('resize', place)
      window.visualViewport?.removeEventListener('scroll', place)
    }
  }, [list, field, phone])
}
