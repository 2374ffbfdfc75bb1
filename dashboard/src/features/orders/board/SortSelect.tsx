import { ChevronDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Sort } from '@/api/filter'
import { fillSorts, sorts } from '@/hooks/useBrowseFilter'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'

const load = () => import('@/components/choice')
const Choice = lazy(load)

type Props = {
  sort: Sort | undefined
  /** Whether the board has what its reader can fill. */
  fill: boolean | undefined
  onSort: (sort: Sort | undefined) => void
  /** As wide as its text, for a phone. */
  compact?: boolean
}

/** The order of the board. What opens its list is loaded when somebody comes near. */
export function SortSelect({ fill, onSort, compact = false, ...given }: Props) {
  const shape = compact ? 'shrink-0 text-sm' : 'min-w-46 text-sm' // of the same shape as what takes its place
  const options = fill ? fillSorts : sorts
  const usual = options[0]?.value
  const sort = given.sort ?? usual
  const [used, setUsed] = useState(false)
  const near = () => void load().catch(() => {})
  const face = (
    <button
      type="button"
      role="combobox"
      aria-label={t('orders_sort')}
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-controls="content"
      onPointerEnter={near}
      onFocus={near}
      onClick={() => setUsed(true)}
      onKeyDown={(event) => event.key.startsWith('Arrow') && setUsed(true)}
      className={`flex h-10 items-center justify-between gap-2 whitespace-nowrap rounded-md border border-input bg-card px-3 transition-colors hover:border-foreground/50 pointer-coarse:h-11 ${shape}`}
    >
      {options.find(({ value }) => value === sort)?.label}
      <ChevronDown aria-hidden className="size-4 text-muted-foreground" />
    </button>
  )
  if (!used) return face
  return (
    <Suspense fallback={face}>
      <Choice
        aria-label={t('orders_sort')}
        className={shape}
        options={options}
        value={sort}
        onValue={(value) => onSort(value === usual ? undefined : (value as Sort))}
        opened
      />
    </Suspense>
  )
}
