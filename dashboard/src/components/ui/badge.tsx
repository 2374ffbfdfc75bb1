import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export const badgeVariants = cva(
  'inline-flex w-fit shrink-0 items-center justify-center gap-1 overflow-hidden whitespace-nowrap rounded-sm border border-transparent px-1.5 text-xs font-medium transition-colors [&>svg]:pointer-events-none [&_svg]:size-3.5 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        default: 'bg-primary text-primary-foreground [a&]:hover:bg-primary-strong',
        secondary: 'bg-secondary text-secondary-foreground [a&]:hover:bg-accent',
        destructive: 'bg-destructive text-destructive-foreground [a&]:hover:opacity-90',
        outline: 'border-border text-muted-foreground [a&]:hover:bg-accent [a&]:hover:text-accent-foreground',
      },
    },
    defaultVariants: { variant: 'default' },
  },
)

type Props = ComponentProps<'span'> & VariantProps<typeof badgeVariants> & { asChild?: boolean }

export function Badge({ className, variant, asChild = false, ...props }: Props) {
  const Element = asChild ? Slot.Root : 'span'
  return <Element data-slot="badge" className={cn(badgeVariants({ variant }), className)} {...props} />
}
