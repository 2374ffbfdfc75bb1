import { Skeleton } from '@/components/ui/skeleton'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'

const row = 'flex h-16 items-center gap-3 border-b px-4 last:border-b-0 md:h-10 md:pointer-coarse:h-11'

/** Placeholders for rows, in the rows' own layout. Like those for cards they are visible only if loading is slow. */
export function ListSkeletons({ visible, count = 15 }: { visible: boolean; count?: number }) {
  return (
    <div role="status" aria-label={t('orders_loading')} className={cn('min-h-[60vh]', !visible && 'opacity-0')}>
      <div
        aria-hidden="true"
        className="overflow-hidden border bg-card max-md:-mx-4 max-md:border-x-0 sm:max-md:-mx-6 md:rounded-lg"
      >
        <div className="h-8 border-b bg-muted max-md:hidden" />
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
          <div key={i} className={row}>
            <Skeleton className="size-5 shrink-0" />
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="ml-auto h-4 w-24" />
            <Skeleton className="h-4 w-16 max-md:hidden" />
            <Skeleton className="h-4 w-12 max-md:hidden" />
          </div>
        ))}
      </div>
    </div>
  )
}
