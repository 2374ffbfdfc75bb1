import { cn } from '@/lib/cn'
import { formatDayAndTime, relativeTime } from '@/lib/format'

/** How long ago something was, small beside it; the day and the time on pointing at it. */
export function When({ at, className }: { at: string; className?: string }) {
  return (
    <time
      dateTime={at}
      title={formatDayAndTime(at)}
      className={cn('shrink-0 text-muted-foreground text-xs', className)}
    >
      {relativeTime(at)}
    </time>
  )
}
