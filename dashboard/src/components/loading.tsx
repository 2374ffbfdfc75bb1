import { cn } from '@/lib/cn'
import { Skeleton } from './ui/skeleton'

type Props = { label: string; boxes: string[]; className?: string }

/** Grey boxes in place of what is loading, each with its size. */
export function Loading({ label, boxes, className }: Props) {
  return (
    <div role="status" aria-label={label} className={cn('grid gap-3', className)}>
      {boxes.map((size, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move
        <Skeleton key={i} className={size} />
      ))}
    </div>
  )
}
