import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'

type Props = { count?: number; narrow?: boolean; single?: boolean; visible: boolean }

/** Placeholders for cards. They reserve their space immediately, but are visible only if loading is slow. */
export function CardSkeletons({ count = 9, narrow = false, single = false, visible }: Props) {
  return (
    <div role="status" aria-label={t('orders_loading')} className={cn('min-h-[60vh]', !visible && 'opacity-0')}>
      <div
        aria-hidden="true"
        className={cn(
          'grid gap-3',
          !single && 'md:grid-cols-2',
          !single && 'min-[112.5rem]:grid-cols-4',
          single ? '' : narrow ? 'xl:grid-cols-3' : 'lg:grid-cols-3',
        )}
      >
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
          <Card key={i} className="h-53 gap-2 px-3.5 py-2.5 shadow-none">
            <Skeleton className="h-6 w-3/5" />
            <div className="flex gap-2">
              <Skeleton className="h-5 w-28" />
              <Skeleton className="h-5 w-16" />
              <Skeleton className="h-5 w-14" />
            </div>
            <Skeleton className="h-6 w-2/5" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="mt-auto h-10 w-full" />
          </Card>
        ))}
      </div>
    </div>
  )
}
