import { useInfiniteQuery } from '@tanstack/react-query'
import { catalogueQuery } from '@/api/items'
import type { Item } from '@/api/types'
import { PageLink } from '@/components/page-link'
import { itemAddress } from '@/lib/items'
import { t } from '@/lib/texts'

/** The items of the same kind, the lowest level first. */
export function Variants({ item: { id, kind } }: { item: Item }) {
  const { data } = useInfiniteQuery(catalogueQuery({ q: kind }))
  const variants = data?.pages[0]?.items
    .filter((other) => other.kind === kind)
    .sort((a, b) => (a.madeAtLevel ?? 0) - (b.madeAtLevel ?? 0))
  if (!variants || variants.length < 2) return null
  return (
    <section aria-labelledby="variants" className="rounded-lg border bg-card p-4">
      <h2 id="variants" dir="auto" className="text-lg wrap-anywhere">
        {t('items_variants_title', { kind })}
      </h2>
      <ul className="mt-1 text-sm">
        {variants.map((other) => (
          <li key={other.id} className="flex items-baseline justify-between gap-3">
            <PageLink
              dir="auto"
              to={itemAddress(other)}
              aria-current={other.id === id ? 'page' : undefined}
              className="min-w-0 py-1 wrap-anywhere hover:text-primary hover:underline aria-[current]:font-semibold pointer-coarse:py-3"
            >
              {other.name}
            </PageLink>
            {other.madeAtLevel ? (
              <span className="tabular shrink-0 text-muted-foreground">
                {t('items_level', { level: String(other.madeAtLevel) })}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
