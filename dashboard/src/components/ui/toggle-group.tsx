import type { VariantProps } from 'class-variance-authority'
import { ToggleGroup as Primitive } from 'radix-ui'
import { type ComponentProps, createContext, use } from 'react'
import { cn } from '@/lib/cn'
import { toggleVariants } from './toggle'

type Variants = VariantProps<typeof toggleVariants>

const GroupVariants = createContext<Variants>({})

export function ToggleGroup({
  className,
  variant,
  size,
  children,
  ...props
}: ComponentProps<typeof Primitive.Root> & Variants) {
  return (
    <Primitive.Root
      data-slot="toggle-group"
      data-variant={variant}
      data-size={size}
      className={cn('flex w-fit items-center rounded-md', className)}
      {...props}
    >
      <GroupVariants value={{ variant, size }}>{children}</GroupVariants>
    </Primitive.Root>
  )
}

/** Takes its looks from the group. */
export function ToggleGroupItem({
  className,
  variant,
  size,
  ...props
}: ComponentProps<typeof Primitive.Item> & Variants) {
  const group = use(GroupVariants)
  const looks = { variant: group.variant ?? variant, size: group.size ?? size }
  return (
    <Primitive.Item
      data-slot="toggle-group-item"
      data-variant={looks.variant}
      data-size={looks.size}
      className={cn(
        toggleVariants(looks),
        'min-w-0 flex-1 shrink-0 rounded-none first:rounded-l-md last:rounded-r-md focus-visible:z-10 data-[variant=outline]:border-l-0 data-[variant=outline]:first:border-l',
        className,
      )}
      {...props}
    />
  )
}
