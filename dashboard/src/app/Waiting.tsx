import { Inbox } from 'lucide-react'
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

/** How many offers wait for the user's answer, beside the number of requests. */
export function OffersWaiting({ count }: { count: number }) {
  return (
    <span
      aria-hidden="true"
      className="tabular inline-flex items-center gap-1 rounded-full bg-accent px-1.5 font-semibold text-accent-foreground text-xs leading-5"
    >
      <Inbox className="size-3" /> {formatNumber(count)}
    </span>
  )
}
