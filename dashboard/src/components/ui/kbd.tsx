import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

/** A key of the keyboard. */
export function Kbd({ className, ...props }: ComponentProps<'kbd'>) {
  return (
    <kbd
      data-slot="kbd"
      className={cn(
        'pointer-events-none inline-flex h-5 min-w-5 select-none items-center justify-center gap-1 rounded-sm border border-b-2 bg-card px-1 font-sans text-[0.75rem] text-muted-foreground leading-4 [&_svg]:size-3',
        className,
      )}
      {...props}
    />
  )
}

/** Keys that are pressed together, or one after the other. */
export function KbdGroup({ className, ...props }: ComponentProps<'kbd'>) {
  return <kbd data-slot="kbd-group" className={cn('inline-flex items-center gap-1', className)} {...props} />
}
