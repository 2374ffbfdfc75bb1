import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

/** A key of the keyboard. */
export function Kbd({ className, ...props }: ComponentProps<'kbd'>) {
  return (
    <kbd
      data-slot="kbd"
      className={cn(
        'inline-grid h-5 min-w-5 place-items-center rounded-sm border border-b-2 bg-card px-1 font-sans text-[0.75rem] text-muted-foreground leading-4',
        className,
      )}
      {...props}
    />
  )
}
