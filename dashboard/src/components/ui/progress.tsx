import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

type Props = ComponentProps<'div'> & {
  /** From 0 to max. Without it the bar says that something goes on. */
  value?: number | null
  max?: number
}

/** Plain elements: the board draws many of these before anything else, and Radix would add nothing but its weight. */
export function Progress({ className, value, max = 100, ...props }: Props) {
  const percent = value == null ? 0 : (100 * value) / max
  return (
    <div
      role="progressbar"
      data-slot="progress"
      data-state={value == null ? 'indeterminate' : percent >= 100 ? 'complete' : 'loading'}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value ?? undefined}
      className={cn('relative h-2 w-full overflow-hidden rounded-full bg-muted', className)}
      {...props}
    >
      <div
        data-slot="progress-indicator"
        className="size-full flex-1 bg-primary transition-transform"
        style={{ transform: `translateX(-${100 - percent}%)` }}
      />
    </div>
  )
}
