import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ItemSort } from '@/api/items'
import type { Item } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { Amount } from '@/components/coins'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { cn } from '@/lib/cn'
import { itemAddress } from '@/lib/items'
import { categoryName } from '@/lib/market'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { OpenCount } from './OpenCount'
import { defaultSort, sortsShown } from './sorts'

type Props = { items: Item[]; sort: ItemSort; onSort: (sort: ItemSort) => void }

const right: readonly ItemSort[] = ['open', 'price', 'level']
const widths: Record<ItemSort, string> = {
  name: '',
  open: 'w-36',
  price: 'w-44',
  profession: 'w-44',
  level: 'w-24',
}

/** The items as a table. The heads of its columns sort it. */
export function ItemTable({ items, sort, onSort }: Props) {
  const priced = isOn('prices')
  return (
    <div className="overflow-clip rounded-lg border bg-card">
      <table aria-label={t('common_items')} className="w-full table-fixed text-sm">
        <thead className="bg-muted text-muted-foreground text-xs">
          <tr>
            {sortsShown().map(({ value, column, descending }) => {
              const Arrow = descending ? ArrowDown : ArrowUp
              const sorted = value === sort
              return (
                <th
                  key={value}
                  scope="col"
                  aria-sort={sorted ? (descending ? 'descending' : 'ascending') : undefined}
                  className={cn(
                    'px-2 font-medium first:pl-4 last:pr-4',
                    right.includes(value) ? 'text-right' : 'text-left',
                    widths[value],
                  )}
                >
                  <button
                    type="button"
                    onClick={() => onSort(sorted ? defaultSort : value)}
                    className={cn(
                      'group inline-flex h-9 items-center gap-0.5 rounded-sm -outline-offset-2 hover:text-foreground pointer-coarse:h-11',
                      right.includes(value) && 'flex-row-reverse',
                      sorted && 'font-semibold text-foreground',
                    )}
                  >
                    {column}
                    <Arrow
                      aria-hidden
                      className={cn(
                        'size-3.5',
                        !sorted && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
                      )}
                    />
                  </button>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id} className="relative h-11 border-t hover:bg-muted/50">
              <td className="px-2 pl-4">
                <span className="flex min-w-0 items-center gap-2">
                  <CategoryIcon category={item.madeBy[0]} className="size-4.5 shrink-0 text-muted-foreground" />
                  <ItemLink item={item} />
                  {item.provisional && <Tag>{t('items_not_confirmed')}</Tag>}
                  <Aside item={item} className="hidden min-w-0 truncate text-muted-foreground text-xs lg:inline" />
                </span>
              </td>
              <td className="px-2 text-right">
                <OpenCount count={item.summary?.open ?? 0} />
              </td>
              {priced && (
                <td className="px-2 text-right">
                  <PriceOf item={item} />
                </td>
              )}
              <td className="truncate px-2">{item.madeBy.map(categoryName).join(', ')}</td>
              <td className="tabular px-2 pr-4 text-right">{item.madeAtLevel || ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The items on a phone: the name, below it the profession and the price, beside them the open requests. */
export function ItemRows({ items }: { items: Item[] }) {
  return (
    <ul aria-label={t('common_items')} className="-mx-4 divide-y border-y bg-card">
      {items.map((item) => (
        <li
          key={item.id}
          className="relative flex h-16 items-center gap-2.5 px-4 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]"
        >
          <CategoryIcon category={item.madeBy[0]} className="size-5 shrink-0 text-muted-foreground" />
          <span className="grid min-w-0 flex-1">
            <ItemLink item={item} />
            <span className="tabular flex min-w-0 items-center gap-1 overflow-hidden whitespace-nowrap text-muted-foreground text-xs">
              {item.provisional && <span>{t('items_not_confirmed')} ·</span>}
              <span className="truncate">
                {item.madeBy.length > 0
                  ? rich('items_row_made_by', {
                      profession: `${item.madeBy.map(categoryName).join(', ')}${item.madeAtLevel ? ` ${item.madeAtLevel}` : ''}`,
                      hidden: (text) => <span className="sr-only">{text}</span>,
                    })
                  : item.kind}
              </span>
            </span>
          </span>
          <span className="tabular shrink-0 text-right text-xs">
            <span className="block min-h-4.5">
              {item.summary?.traded ? <Amount value={item.summary.traded} /> : null}
            </span>{' '}
            <span className={cn('block', !item.summary?.open && 'text-muted-foreground')}>
              {t('parts_item_open', { count: item.summary?.open ?? 0 })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The name of an item. The link fills its row. */
const ItemLink = ({ item }: { item: Item }) => (
  <PageLink
    dir="auto"
    title={item.name}
    to={itemAddress(item)}
    className="min-w-0 truncate font-semibold outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
  >
    {item.name}
  </PageLink>
)

/** The kind and the region of an item, which tell apart items of similar names. */
const Aside = ({ item: { kind, name, region }, className }: { item: Item; className: string }) => (
  <span dir="auto" className={className}>
    {[kind !== name && kind, region].filter(Boolean).join(' · ')}
  </span>
)

const PriceOf = ({ item: { summary } }: { item: Item }) =>
  summary?.traded ? (
    <Amount value={summary.traded} />
  ) : (
    <span className="text-muted-foreground">
      <span aria-hidden>–</span>
      <span className="sr-only">{t('items_no_price_row')}</span>
    </span>
  )
