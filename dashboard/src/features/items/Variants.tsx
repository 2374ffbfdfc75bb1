import { useInfiniteQuery } from '@tanstack/react-query'
import { catalogueQuery } from '@/api/items'
import type { Item } from '@/api/types'
import { Amount } from '@/components/coins'
import { PageLink } from '@/components/page-link'
import { itemAddress } from '@/lib/items'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { OpenCount } from './OpenCount'

/** The items of the same kind, the lowest level first, each with its price and its open requests. */
export function Variants({ item: { id, kind } }: { item: Item }) {
  const { data } = useInfiniteQuery(catalogueQuery({ q: kind }))
  const variants = data?.pages[0]?.items
    .filter((other) => other.kind === kind)
    .sort((a, b) => (a.madeAtLevel ?? 0) - (b.madeAtLevel ?? 0))
  if (!variants || variants.length < 2) return null
  const priced = isOn('prices')
  return (
    <section aria-labelledby="variants" className="rounded-lg border bg-card">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 border-b px-4 py-1.5">
        <h2 id="variants" dir="auto" className="min-w-0 text-lg wrap-anywhere">
          {t('items_variants_title', { kind })}
        </h2>
        <span aria-hidden className="text-muted-foreground text-sm">
          {priced ? t('items_variants_columns') : t('items_variants_open')}
        </span>
      </div>
      <ul className="divide-y overflow-hidden rounded-b-lg text-sm">
        {variants.map((other) => (
          <li
            key={other.id}
            className="relative flex min-h-9.5 items-center gap-3 px-4 py-1 hover:bg-muted/55 has-[[aria-current]]:bg-accent has-[[aria-current]]:text-accent-foreground pointer-coarse:min-h-11"
          >
            <PageLink
              dir="auto"
              to={itemAddress(other)}
              aria-current={other.id === id ? 'page' : undefined}
              className="min-w-0 flex-1 wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring aria-[current]:font-semibold"
            >
              {other.name}
            </PageLink>
            {other.madeAtLevel ? (
              <span className="tabular shrink-0 text-muted-foreground max-sm:hidden">
                {t('items_level', { level: String(other.madeAtLevel) })}
              </span>
            ) : null}
            {priced && (
              <span className="shrink-0 text-right">
                {other.summary?.traded ? (
                  <Amount value={other.summary.traded} />
                ) : (
                  <span className="text-muted-foreground">{t('items_no_price_row')}</span>
                )}
              </span>
            )}
            <OpenCount count={other.summary?.open ?? 0} className="w-8 shrink-0 text-right" />
          </li>
        ))}
      </ul>
    </section>
  )
}
