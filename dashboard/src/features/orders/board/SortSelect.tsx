import type { Sort } from '@/api/filter'
import { LazyChoice } from '@/components/lazy-choice'
import { fillSorts, sorts } from '@/hooks/useBrowseFilter'
import { t } from '@/lib/texts'

type Props = {
  sort: Sort | undefined
  /** Whether the board has what its reader can fill. */
  fill: boolean | undefined
  onSort: (sort: Sort | undefined) => void
  /** As wide as its text, for a phone. */
  compact?: boolean
}

/** The order of the board. */
export function SortSelect({ sort, fill, onSort, compact = false }: Props) {
  const options = fill ? fillSorts : sorts
  const usual = options[0]?.value
  return (
    <LazyChoice
      aria-label={t('orders_sort')}
      className={compact ? 'shrink-0 text-sm' : 'min-w-46 text-sm'}
      options={options}
      value={sort ?? usual ?? ''}
      onValue={(value) => onSort(value === usual ? undefined : (value as Sort))}
    />
  )
}
