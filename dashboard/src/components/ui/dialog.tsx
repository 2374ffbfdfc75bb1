import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ComponentProps, type ReactNode, use, useState } from 'react'
import { cn } from '@/lib/cn'
import { Button } from './button'
import { DialogOpening, overlayClass, overlayOpensClass, sheetClass, sheetOpensClass } from './dialog-frame'

export const Dialog = Primitive.Root

type ContentProps = Omit<ComponentProps<typeof Primitive.Content>, 'title'> & {
  title: ReactNode
  /** One sentence under the title. */
  description?: ReactNode
}

/** A modal dialog; on phones a bottom sheet with its buttons in reach of the thumb. */
export function DialogContent(props: ContentProps) {
  const { framed } = use(DialogOpening)
  const [opens] = useState(!framed)
  return (
    <Primitive.Portal>
      <Primitive.Overlay
        data-slot="dialog-overlay"
        className={cn(
          overlayClass,
          opens && overlayOpensClass,
          'data-[state=closed]:fade-out-0 data-[state=closed]:animate-out',
        )}
      />
      <Sheet {...props} opens={opens} />
    </Primitive.Portal>
  )
}

const firstField = 'form input:not([type=hidden]):not(:disabled), form textarea:not(:disabled)'

function Sheet({ className, title, description, children, opens, ...props }: ContentProps & { opens: boolean }) {
  const opening = use(DialogOpening)
  const [opener] = useState(() => opening.opener ?? document.activeElement)
  return (
    <Primitive.Content
      data-slot="dialog-content"
      // A form starts with its first field, whatever stands above it. On a phone, focusing that would open the keyboard over it.
      onOpenAutoFocus={(event) => {
        if (!(event.currentTarget instanceof HTMLElement)) return
        const coarse = matchMedia('(pointer: coarse)').matches
        const first = coarse ? event.currentTarget : event.currentTarget.querySelector<HTMLElement>(firstField)
        if (!first) return
        event.preventDefault()
        first.focus()
      }}
      // Dialogs are opened by the URL, not by a trigger: the focus returns to where it was.
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        const back = opener?.isConnected ? opener : document.getElementById('content')
        if (back instanceof HTMLElement) back.focus()
      }}
      // A toast lies above the dialog, and its Undo may be about what was just done there.
      onInteractOutside={(event) => {
        if (event.target instanceof Element && event.target.closest('[data-slot=toaster]')) event.preventDefault()
      }}
      // Radix warns of a missing description otherwise.
      {...(description ? {} : { 'aria-describedby': undefined })}
      className={cn(
        sheetClass,
        opens && sheetOpensClass,
        'data-[state=closed]:slide-out-to-bottom data-[state=closed]:animate-out',
        'sm:data-[state=closed]:slide-out-to-bottom-4 sm:data-[state=closed]:fade-out-0',
        className,
      )}
      {...props}
    >
      <div data-slot="dialog-header" className="border-b py-4 pr-16 pl-5">
        <Primitive.Title className="text-lg wrap-anywhere">{title}</Primitive.Title>
        {description && (
          <Primitive.Description className="mt-1 text-muted-foreground text-sm">{description}</Primitive.Description>
        )}
      </div>
      {children}
      {/* Last in tab order, so that a form starts with its first field. */}
      <Primitive.Close asChild>
        <Button variant="ghost" size="icon" aria-label="Close" className="absolute top-3 right-3">
          <X />
        </Button>
      </Primitive.Close>
    </Primitive.Content>
  )
}

/** The scrolling part of a dialog. */
export function DialogBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4', className)} {...props} />
}

/** The row of buttons, which is always visible. */
export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cn(
        'flex flex-col-reverse gap-2 border-t px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:flex-row sm:justify-end',
        className,
      )}
      {...props}
    />
  )
}
