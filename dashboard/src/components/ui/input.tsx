import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      data-slot="input"
      dir="auto"
      className={cn(
        'h-10 w-full min-w-0 rounded-md border border-input bg-card px-3 text-base transition-colors placeholder:text-muted-foreground hover:border-foreground/50 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-destructive md:text-sm pointer-coarse:h-11',
        'file:mr-3 file:h-full file:border-0 file:bg-transparent file:font-medium file:text-sm',
        className,
      )}
      {...props}
    />
  )
}
