import { cva, type VariantProps } from 'class-variance-authority'
import { Toggle as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export const toggleVariants = cva(
  "touch inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-md text-sm font-medium transition-colors hover:bg-muted disabled:pointer-events-none disabled:opacity-55 aria-invalid:border-destructive data-[state=on]:bg-accent data-[state=on]:text-accent-foreground [&_svg:not([class*='size-'])]:size-4 [&_svg]:pointer-events-none [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        default: 'bg-transparent',
        outline: 'border border-input/60 bg-card hover:border-primary data-[state=on]:border-primary',
      },
      size: { default: 'h-10 min-w-10 px-3', sm: 'h-8 min-w-8 px-2', lg: 'h-12 min-w-12 px-4' },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
)

type Props = ComponentProps<typeof Primitive.Root> & VariantProps<typeof toggleVariants>

export function Toggle({ className, variant, size, ...props }: Props) {
  return <Primitive.Root data-slot="toggle" className={cn(toggleVariants({ variant, size }), className)} {...props} />
}
