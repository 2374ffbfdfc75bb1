import type { ComponentProps } from 'react'
import { Drawer as Primitive } from 'vaul'
import { cn } from '@/lib/cn'

export function Drawer(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root data-slot="drawer" {...props} />
}

export function DrawerTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger data-slot="drawer-trigger" {...props} />
}

export function DrawerPortal(props: ComponentProps<typeof Primitive.Portal>) {
  return <Primitive.Portal data-slot="drawer-portal" {...props} />
}

export function DrawerClose(props: ComponentProps<typeof Primitive.Close>) {
  return <Primitive.Close data-slot="drawer-close" {...props} />
}

export function DrawerOverlay({ className, ...props }: ComponentProps<typeof Primitive.Overlay>) {
  return (
    <Primitive.Overlay
      data-slot="drawer-overlay"
      className={cn(
        'data-[state=open]:fade-in-0 data-[state=closed]:fade-out-0 fixed inset-0 z-40 bg-scrim data-[state=closed]:animate-out data-[state=open]:animate-in',
        className,
      )}
      {...props}
    />
  )
}

export function DrawerContent({ className, children, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <DrawerPortal>
      <DrawerOverlay />
      <Primitive.Content
        data-slot="drawer-content"
        className={cn(
          'group/drawer-content fixed z-50 flex h-auto flex-col border-0 bg-popover text-popover-foreground shadow-lifted outline-none',
          'data-[vaul-drawer-direction=top]:inset-x-0 data-[vaul-drawer-direction=top]:top-0 data-[vaul-drawer-direction=top]:max-h-[80dvh] data-[vaul-drawer-direction=top]:rounded-b-xl data-[vaul-drawer-direction=top]:border-b',
          'data-[vaul-drawer-direction=bottom]:inset-x-0 data-[vaul-drawer-direction=bottom]:bottom-0 data-[vaul-drawer-direction=bottom]:max-h-[92dvh] data-[vaul-drawer-direction=bottom]:rounded-t-xl data-[vaul-drawer-direction=bottom]:border-t',
          'data-[vaul-drawer-direction=right]:inset-y-0 data-[vaul-drawer-direction=right]:right-0 data-[vaul-drawer-direction=right]:w-3/4 data-[vaul-drawer-direction=right]:border-l data-[vaul-drawer-direction=right]:sm:max-w-sm',
          'data-[vaul-drawer-direction=left]:inset-y-0 data-[vaul-drawer-direction=left]:left-0 data-[vaul-drawer-direction=left]:w-3/4 data-[vaul-drawer-direction=left]:border-r data-[vaul-drawer-direction=left]:sm:max-w-sm',
          className,
        )}
        {...props}
      >
        <div
          aria-hidden
          className="mx-auto mt-3 hidden h-1.5 w-16 shrink-0 rounded-full bg-border group-data-[vaul-drawer-direction=bottom]/drawer-content:block"
        />
        {children}
      </Primitive.Content>
    </DrawerPortal>
  )
}

export function DrawerHeader({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="drawer-header"
      className={cn(
        'flex flex-col gap-1 p-4 group-data-[vaul-drawer-direction=bottom]/drawer-content:text-center group-data-[vaul-drawer-direction=top]/drawer-content:text-center md:text-left',
        className,
      )}
      {...props}
    />
  )
}

export function DrawerFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="drawer-footer"
      className={cn('mt-auto flex flex-col gap-2 p-4 pb-[max(1rem,env(safe-area-inset-bottom))]', className)}
      {...props}
    />
  )
}

export function DrawerTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title data-slot="drawer-title" className={cn('text-lg wrap-anywhere', className)} {...props} />
}

export function DrawerDescription({ className, ...props }: ComponentProps<typeof Primitive.Description>) {
  return (
    <Primitive.Description
      data-slot="drawer-description"
      className={cn('text-muted-foreground text-sm', className)}
      {...props}
    />
  )
}
