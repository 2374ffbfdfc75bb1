import { Circle } from 'lucide-react'
import { RadioGroup as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export function RadioGroup({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root data-slot="radio-group" className={cn('grid gap-3', className)} {...props} />
}

export function RadioGroupItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      data-slot="radio-group-item"
      className={cn(
        'touch aspect-square size-4 shrink-0 rounded-full border border-input bg-card text-primary transition-colors hover:border-foreground/50 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-destructive data-[state=checked]:border-primary',
        className,
      )}
      {...props}
    >
      <Primitive.Indicator data-slot="radio-group-indicator" className="flex size-full items-center justify-center">
        <Circle className="size-2 fill-primary" />
      </Primitive.Indicator>
    </Primitive.Item>
  )
}
