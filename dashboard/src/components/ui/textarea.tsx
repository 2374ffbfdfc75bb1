import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      data-slot="textarea"
      dir="auto"
      className={cn(
        'field-sizing-content min-h-24 w-full min-w-0 rounded-md border border-input bg-card px-3 py-2 text-base transition-colors placeholder:text-muted-foreground hover:border-foreground/50 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-destructive md:text-sm',
        className,
      )}
      {...props}
    />
  )
}
