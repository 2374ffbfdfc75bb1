import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { Badge } from './ui/badge'

const tones = cva('border-transparent', {
  variants: {
    tone: {
      quiet: 'bg-muted text-muted-foreground',
      own: 'bg-primary text-primary-foreground',
      accent: 'bg-accent text-accent-foreground',
      outline: 'border-border',
      high: 'bg-high-soft text-high-foreground',
      urgent: 'bg-urgent-soft text-urgent-foreground',
      destructive: 'bg-destructive-soft text-destructive',
    },
  },
  defaultVariants: { tone: 'quiet' },
})

export type Tone = NonNullable<VariantProps<typeof tones>['tone']>

/** A badge in one of the market's quiet colours. */
export function Tag({ tone, className, ...props }: Omit<ComponentProps<typeof Badge>, 'variant'> & { tone?: Tone }) {
  return <Badge variant="outline" className={cn(tones({ tone }), className)} {...props} />
}
