import { type ReactNode, useRef, useState } from 'react'
import type { Category } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { useEdgeFade } from '@/hooks/useEdgeFade'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import { categories, categoryName } from '@/lib/market'
import { t } from '@/lib/texts'

/** Rows of one profession or of all, and the chips that choose it: none where the rows have one profession only. */
export function useByProfession<Row>(rows: readonly Row[] = [], professionOf: (row: Row) => Category | undefined) {
  const [wanted, setWanted] = useState<Category>()
  const counts = new Map<Category, number>()
  for (const row of rows) {
    const profession = professionOf(row)
    if (profession) counts.set(profession, (counts.get(profession) ?? 0) + 1)
  }
  const several = counts.size > 1
  const chosen = several && wanted && counts.has(wanted) ? wanted : undefined // its last row may have gone
  const chips: ReactNode = several && <Chips counts={counts} all={rows.length} chosen={chosen} onChoose={setWanted} />
  return { shown: chosen ? rows.filter((row) => professionOf(row) === chosen) : rows, chips }
}

type Props = {
  counts: ReadonlyMap<Category, number>
  all: number
  chosen: Category | undefined
  onChoose: (profession: Category | undefined) => void
}

function Chips({ counts, all, chosen, onChoose }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  const roving = useRovingFocus(bar)
  const row = useEdgeFade<HTMLDivElement>()
  const professions = (categories as Category[]).filter((one) => counts.has(one))
  return (
    <div ref={bar} role="toolbar" aria-label={t('common_category')} {...roving} className="min-w-0">
      <div ref={row} className="no-scrollbar fade-x -mx-1 flex gap-1.5 overflow-x-auto p-1">
        {[undefined, ...professions].map((one) => (
          <button
            key={one ?? ''}
            type="button"
            aria-pressed={chosen === one}
            onClick={() => onChoose(one)}
            className={cn(
              'inline-flex h-7.5 shrink-0 items-center gap-1.5 rounded-full border bg-card px-2.5 text-xs transition-colors pointer-coarse:h-11 pointer-coarse:text-sm',
              chosen === one
                ? 'border-primary bg-primary text-primary-foreground forced-colors:border-[Highlight] forced-colors:outline-2 forced-colors:outline-[Highlight]'
                : 'hover:border-primary hover:bg-accent hover:text-accent-foreground',
            )}
          >
            <CategoryIcon category={one} className="size-4" />
            {one ? categoryName(one) : t('orders_all')}
            <span
              className={cn('tabular text-xs', chosen === one ? 'text-primary-foreground' : 'text-muted-foreground')}
            >
              {formatNumber(one ? (counts.get(one) ?? 0) : all)}
            </span>
          </button>
        ))}
      </div>
    </div>
  )
}
