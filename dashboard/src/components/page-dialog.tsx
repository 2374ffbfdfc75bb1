import { X } from 'lucide-react'
import { type ComponentProps, type ReactNode, use, useState } from 'react'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'
import { useDialogFocus } from './dialog-focus'
import { DialogOpening, notOpened, sheetClass, sheetMoves } from './dialog-frame'
import { Button } from './ui/button'
import {
  DialogFooter as Buttons,
  DialogContent as Content,
  DialogClose,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from './ui/dialog'

export { Dialog } from './ui/dialog'

type ContentProps = Omit<ComponentProps<typeof Content>, 'title' | 'showCloseButton'> & {
  title: ReactNode
  /** One sentence under the title. */
  description?: ReactNode
}

/** A modal dialog with a title; on phones a bottom sheet with its buttons in reach of the thumb. */
export function DialogContent({ className, title, description, children, ...props }: ContentProps) {
  const opening = use(DialogOpening)
  const [{ framed, scrim }] = useState(opening)
  return (
    <Content
      showCloseButton={false}
      data-scrim={scrim || undefined}
      // Radix warns of a missing description otherwise.
      {...(description ? {} : { 'aria-describedby': undefined })}
      {...useDialogFocus()}
      className={cn(sheetClass, sheetMoves, framed && 'data-[state=open]:animate-none', className)}
      {...props}
    >
      <DialogHeader className="gap-1 border-b py-4 pr-16 pl-5 text-left">
        <DialogTitle>{title}</DialogTitle>
        {description && <DialogDescription>{description}</DialogDescription>}
      </DialogHeader>
      <DialogOpening value={notOpened}>{children}</DialogOpening>
      {/* Last in tab order, so that a form starts with its first field. */}
      <DialogClose asChild>
        <Button variant="ghost" size="icon" aria-label={t('common_close')} className="absolute top-3 right-3">
          <X />
        </Button>
      </DialogClose>
    </Content>
  )
}

/** The scrolling part of a dialog. */
export function DialogBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4', className)} {...props} />
}

/** The row of buttons, which is always visible. */
export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <Buttons className={cn('border-t px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]', className)} {...props} />
  )
}
