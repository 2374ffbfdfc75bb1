import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { Button } from './button'
import { Input } from './input'
import { Textarea } from './textarea'

/** A field and what stands in it: an icon, a unit, a key, a button. */
export function InputGroup({ className, ...props }: ComponentProps<'div'>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one more box in a form of many
    <div
      role="group"
      data-slot="input-group"
      className={cn(
        'group/input-group relative flex h-10 w-full min-w-0 items-center rounded-md border border-input bg-card transition-colors hover:border-foreground/50 pointer-coarse:h-11',
        'has-[>[data-align^=block]]:h-auto has-[>textarea]:h-auto has-[>[data-align^=block]]:flex-col',
        'has-[>[data-align=inline-start]]:[&>input]:pl-2 has-[>[data-align=inline-end]]:[&>input]:pr-2',
        'has-[>[data-align=block-end]]:[&>input]:pt-3 has-[>[data-align=block-start]]:[&>input]:pb-3',
        // The ring is around the whole, not around the field in it.
        'has-[[data-slot^=input-group-]:is(input,textarea):focus-visible]:outline-2 has-[[data-slot^=input-group-]:is(input,textarea):focus-visible]:outline-ring',
        'has-[[aria-invalid=true]]:border-destructive has-[:is(input,textarea):disabled]:opacity-55',
        className,
      )}
      {...props}
    />
  )
}

const addonVariants = cva(
  "flex h-auto cursor-text select-none items-center justify-center gap-2 py-1.5 text-muted-foreground text-sm [&>svg:not([class*='size-'])]:size-4",
  {
    variants: {
      align: {
        'inline-start': 'order-first pl-3 has-[>button]:-ml-1.5 has-[>kbd]:-ml-1',
        'inline-end': 'order-last pr-3 has-[>button]:-mr-1.5 has-[>kbd]:-mr-1',
        'block-start': 'order-first w-full justify-start px-3 pt-3 [.border-b]:pb-3',
        'block-end': 'order-last w-full justify-start px-3 pb-3 [.border-t]:pt-3',
      },
    },
    defaultVariants: { align: 'inline-start' },
  },
)

type AddonProps = ComponentProps<'div'> & VariantProps<typeof addonVariants>

export function InputGroupAddon({ className, align = 'inline-start', onClick, ...props }: AddonProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups what stands beside the field
    // biome-ignore lint/a11y/useKeyWithClickEvents: with the keyboard one is in the field anyway
    <div
      role="group"
      data-slot="input-group-addon"
      data-align={align}
      className={cn(addonVariants({ align }), className)}
      onClick={(event) => {
        onClick?.(event)
        if (event.target instanceof Element && event.target.closest('button, a')) return
        event.currentTarget.parentElement?.querySelector<HTMLElement>('input, textarea')?.focus()
      }}
      {...props}
    />
  )
}

const groupButtonVariants = cva('flex items-center gap-2 rounded-sm text-sm', {
  variants: {
    size: {
      xs: "h-7 gap-1 px-2 [&>svg:not([class*='size-'])]:size-3.5",
      sm: 'h-8 px-2.5',
      'icon-xs': 'size-7 p-0',
      'icon-sm': 'size-8 p-0',
    },
  },
  defaultVariants: { size: 'xs' },
})

type GroupButtonProps = Omit<ComponentProps<typeof Button>, 'size'> & VariantProps<typeof groupButtonVariants>

export function InputGroupButton({
  className,
  type = 'button',
  variant = 'ghost',
  size = 'xs',
  ...props
}: GroupButtonProps) {
  return (
    <Button
      data-slot="input-group-button"
      type={type}
      data-size={size}
      variant={variant}
      className={cn(groupButtonVariants({ size }), className)}
      {...props}
    />
  )
}

export function InputGroupText({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span
      data-slot="input-group-text"
      className={cn(
        "flex items-center gap-2 text-muted-foreground text-sm [&_svg:not([class*='size-'])]:size-4 [&_svg]:pointer-events-none",
        className,
      )}
      {...props}
    />
  )
}

export function InputGroupInput({ className, ...props }: ComponentProps<'input'>) {
  return (
    <Input
      data-slot="input-group-input"
      className={cn('h-full flex-1 rounded-none border-0 bg-transparent outline-none pointer-coarse:h-full', className)}
      {...props}
    />
  )
}

export function InputGroupTextarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <Textarea
      data-slot="input-group-textarea"
      className={cn('flex-1 resize-none rounded-none border-0 bg-transparent py-3 outline-none', className)}
      {...props}
    />
  )
}
