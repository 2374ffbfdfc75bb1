import { X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'
import { useDialogFocus } from './dialog-focus'
import { Button } from './ui/button'
import { Drawer, DrawerClose, DrawerContent, DrawerFooter, DrawerHeader, DrawerTitle } from './ui/drawer'

type Props = { open: boolean; onClose: () => void; title: ReactNode; children: ReactNode }

/** A sheet from below, for a phone: pulled down, it goes away. */
export function PageDrawer({ open, onClose, title, children }: Props) {
  return (
    <Drawer open={open} onOpenChange={(stays) => !stays && onClose()}>
      <Content title={title}>{children}</Content>
    </Drawer>
  )
}

function Content({ title, children }: Pick<Props, 'title' | 'children'>) {
  return (
    <DrawerContent aria-describedby={undefined} {...useDialogFocus()}>
      <DrawerHeader className="border-b px-5 py-3">
        <DrawerTitle>{title}</DrawerTitle>
      </DrawerHeader>
      {children}
      <DrawerClose asChild>
        <Button variant="ghost" size="icon" aria-label={t('common_close')} className="absolute top-3 right-3">
          <X />
        </Button>
      </DrawerClose>
    </DrawerContent>
  )
}

/** The scrolling part of a drawer. Pulling within it scrolls. */
export function DrawerBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4', className)} {...props} />
}

/** The row of buttons, which is always visible. */
export function DrawerButtons({ className, ...props }: ComponentProps<'div'>) {
  return <DrawerFooter className={cn('border-t px-5 pt-3', className)} {...props} />
}
