import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

const inputStyle =
  'w-full min-w-0 rounded-md border border-input bg-card px-3 text-base text-foreground transition-colors hover:border-foreground/50 focus-visible:outline-2 focus-visible:outline-offset-0 aria-invalid:border-destructive disabled:opacity-60'

/** The browser's own select: it needs no code, and phones show their native picker. */
export function NativeSelect({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select
        data-slot="native-select"
        className={cn(inputStyle, 'h-11 cursor-pointer appearance-none pr-9', className)}
        {...props}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </span>
  )
}
