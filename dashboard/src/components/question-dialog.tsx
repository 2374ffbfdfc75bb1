import { type ReactNode, use, useState } from 'react'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'
import { useDialogFocus } from './dialog-focus'
import { DialogOpening, sheetClass, sheetMoves } from './dialog-frame'
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from './ui/alert-dialog'
import { buttonVariants } from './ui/button'

type Props = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** What will happen. */
  description: ReactNode
  /** What it is about, and what went wrong. */
  children?: ReactNode
  cancel?: string
  button: string
  variant?: 'default' | 'destructive'
  disabled: boolean
  onConfirm: () => void
}

/** Asks before something that cannot be taken back easily. It stays open until the answer has arrived. */
export function QuestionDialog(props: Props) {
  const {
    open,
    onClose,
    title,
    description,
    children,
    cancel = t('common_cancel'),
    button,
    variant = 'destructive',
    disabled,
    onConfirm,
  } = props
  const opening = use(DialogOpening)
  const [{ framed, scrim }] = useState(opening)
  const { onCloseAutoFocus } = useDialogFocus()
  return (
    <AlertDialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <AlertDialogContent
        data-scrim={scrim || undefined}
        onCloseAutoFocus={onCloseAutoFocus}
        className={cn(sheetClass, sheetMoves, framed && 'data-[state=open]:animate-none', 'sm:max-w-md')}
      >
        <AlertDialogHeader className="gap-1 border-b px-5 py-4 text-left">
          <AlertDialogTitle>{title}</AlertDialogTitle>
          <AlertDialogDescription>{description}</AlertDialogDescription>
        </AlertDialogHeader>
        {children && <div className="grid min-h-0 flex-1 gap-4 overflow-y-auto px-5 py-4">{children}</div>}
        <AlertDialogFooter className="px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] not-first:border-t">
          <AlertDialogCancel
            className={cn(buttonVariants({ variant: 'ghost' }), 'border-0 bg-transparent max-sm:h-11')}
          >
            {cancel}
          </AlertDialogCancel>
          <AlertDialogAction
            className={cn(buttonVariants({ variant }), 'max-sm:h-11')}
            disabled={disabled}
            onClick={(event) => {
              event.preventDefault() // it stays until the answer has arrived
              onConfirm()
            }}
          >
            {button}
          </AlertDialogAction>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  )
}
