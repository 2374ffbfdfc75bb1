import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'

/** How many things wait for the user. */
export function Waiting({ count, className }: { count: number; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'tabular min-w-5 rounded-full bg-primary px-1.5 text-center font-semibold text-primary-foreground text-xs leading-5',
        className,
      )}
    >
      {formatNumber(count)}
    </span>
  )
}
