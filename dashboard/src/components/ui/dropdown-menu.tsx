import { DropdownMenu as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export const DropdownMenu = Primitive.Root
export const DropdownMenuTrigger = Primitive.Trigger

export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    // Within the main landmark, for assistive technology.
    <Primitive.Portal container={document.getElementById('content')}>
      <Primitive.Content
        data-slot="dropdown-menu-content"
        align="end"
        sideOffset={4}
        collisionPadding={12}
        className={cn(
          'data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95 z-50 min-w-52 rounded-lg border bg-popover p-1 text-popover-foreground shadow-lifted data-[state=open]:animate-in',
          className,
        )}
        {...props}
      />
    </Primitive.Portal>
  )
}

type ItemProps = ComponentProps<typeof Primitive.Item> & { destructive?: boolean }

export function DropdownMenuItem({ className, destructive = false, ...props }: ItemProps) {
  return (
    <Primitive.Item
      data-slot="dropdown-menu-item"
      className={cn(
        'flex h-10 cursor-pointer select-none items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-[disabled]:pointer-events-none data-[highlighted]:bg-muted data-[disabled]:opacity-50 pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:text-muted-foreground',
        destructive && 'text-destructive data-[highlighted]:bg-destructive-soft [&_svg]:text-destructive',
        className,
      )}
      {...props}
    />
  )
}

export function DropdownMenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-border" />
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label className={cn('px-2.5 py-2 text-muted-foreground text-sm', className)} {...props} />
}
