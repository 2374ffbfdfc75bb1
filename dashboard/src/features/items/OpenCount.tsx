import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import { t } from '@/lib/texts'

/** How many requests for an item are open, as a number in a column. */
export const OpenCount = ({ count, className }: { count: number; className?: string }) => (
  <span className={cn('tabular', count === 0 ? 'text-muted-foreground' : 'font-semibold', className)}>
    <span aria-hidden>{count === 0 ? '–' : formatNumber(count)}</span>
    <span className="sr-only">{t('parts_item_open', { count })}</span>
  </span>
)
