import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export const inputStyle =
  'w-full min-w-0 rounded-md border border-input bg-card px-3 text-base text-foreground placeholder:text-muted-foreground/80 transition-colors hover:border-foreground/50 focus-visible:outline-2 focus-visible:outline-offset-0 aria-invalid:border-destructive disabled:opacity-60'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input data-slot="input" dir="auto" className={cn(inputStyle, 'h-11', className)} {...props} />
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea data-slot="textarea" dir="auto" className={cn(inputStyle, 'min-h-24 py-2', className)} {...props} />
}
