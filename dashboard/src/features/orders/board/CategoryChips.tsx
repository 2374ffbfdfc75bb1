import { UserRoundCheck } from 'lucide-react'
import type { Category, Counts } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { useEdgeFade } from '@/hooks/useEdgeFade'
import { useScrollChosenIntoView } from '@/hooks/useScrollChosenIntoView'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import { categories, categoryName } from '@/lib/market'
import { t } from '@/lib/texts'

// The API's type has the default game's categories, because it is generated from that game.
const played = categories as Category[]

type Props = {
  /** Undefined while they load, and with a filter: only the whole board is counted by category. */
  counts: Counts | undefined
  /** Whether the first counts are still loading. */
  counting: boolean
  chosen: readonly Category[]
  onChoose: (categories: Category[]) => void
  /** Whether "For me" is on; undefined where there is nothing that it could go by. */
  forMe: boolean | undefined
  onForMe: () => void
}

/** Category filter chips with counts. Several can be chosen. A category without requests is dimmed, not hidden. */
export function CategoryChips({ counts, counting, chosen, onChoose, forMe, onForMe }: Props) {
  const row = useEdgeFade<HTMLFieldSetElement>()
  useScrollChosenIntoView(row, chosen.length > 0 ? '[aria-pressed="true"]' : 'button', chosen[0])
  const toggle = (category: Category) =>
    onChoose(played.filter((c) => (c === category ? !chosen.includes(c) : chosen.includes(c))))
  return (
    <fieldset
      ref={row}
      className={cn(
        'no-scrollbar fade-x -my-1 -mr-4 -ml-1 flex min-w-0 gap-1.5 overflow-x-auto py-1 pr-4 pl-1 sm:-mr-1 sm:pr-1',
        counting && 'invisible', // the width of a chip depends on its count
      )}
    >
      <legend className="sr-only">{t('common_category')}</legend>
      {forMe !== undefined && (
        <button
          type="button"
          role="switch"
          aria-checked={forMe}
          onClick={onForMe}
          className={cn(chip, 'mr-1 font-medium', forMe ? on : off)}
        >
          <UserRoundCheck aria-hidden className="size-4" />
          {t('orders_for_me')}
        </button>
      )}
      <Chip label={t('orders_all')} count={counts?.all} chosen={chosen.length === 0} onChoose={() => onChoose([])} />
      {played.map((category) => (
        <Chip
          key={category}
          category={category}
          label={categoryName(category)}
          count={counts && (counts.categories[category] ?? 0)}
          chosen={chosen.includes(category)}
          onChoose={() => toggle(category)}
        />
      ))}
    </fieldset>
  )
}

const chip =
  'inline-flex h-7.5 shrink-0 items-center gap-1.5 rounded-full border bg-card px-2.5 text-xs transition-colors pointer-coarse:h-11 pointer-coarse:text-sm'
const on =
  'border-primary bg-primary text-primary-foreground forced-colors:border-[Highlight] forced-colors:outline-2 forced-colors:outline-[Highlight]'
const off = 'hover:border-primary hover:bg-accent hover:text-accent-foreground'

type ChipProps = {
  category?: Category
  label: string
  count: number | undefined
  chosen: boolean
  onChoose: () => void
}

function Chip({ category, label, count, chosen, onChoose }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cn(
        chip,
        chosen ? on : off,
        !chosen && count === 0 && 'border-dashed bg-transparent text-muted-foreground',
      )}
    >
      <CategoryIcon category={category} className="size-4" />
      {label}
      {count !== undefined && (
        <span
          className={cn('tabular min-w-[2ch] text-xs', chosen ? 'text-primary-foreground' : 'text-muted-foreground')}
        >
          {formatNumber(count)}
        </span>
      )}
    </button>
  )
}
