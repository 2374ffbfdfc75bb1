import { CircleAlert, X } from 'lucide-react'
import { type FocusEvent, type MouseEvent as PressEvent, useRef } from 'react'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'
import { buttonVariants } from './ui/button'
import { Toaster } from './ui/sonner'

const list = '[data-sonner-toaster]'

// Sonner stops its clock while the pointer is over the toasts. Somebody who is there with the keyboard needs time too.
function stopClock(event: FocusEvent) {
  event.target.closest(list)?.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }))
}

function startClock(event: FocusEvent) {
  if (event.relatedTarget instanceof Element && event.relatedTarget.closest(list)) return
  const leaves = new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body })
  event.target.closest(list)?.dispatchEvent(leaves)
}

// Sonner gives the focus back as soon as it leaves the toasts, even where a user moved it elsewhere, and once more when the
// last toast is gone. It passes over what cannot be dismissed, and so never learns that the focus was here.
function hideFromSonner({ target }: FocusEvent<HTMLElement>) {
  const { dismissible } = target.dataset
  target.dataset.dismissible = 'false'
  return () => {
    if (dismissible === undefined) delete target.dataset.dismissible
    else target.dataset.dismissible = dismissible
  }
}

/** Where the focus was before it came into the toasts. A toast whose button is pressed goes away: the focus goes back there. */
function useFocusBefore() {
  const before = useRef<EventTarget | null>(null)
  const show = useRef(() => {})
  return {
    onFocusCapture(event: FocusEvent<HTMLElement>) {
      const from = event.relatedTarget
      if (!(from instanceof Element && from.closest(list))) before.current = from
      show.current = hideFromSonner(event)
    },
    onFocus(event: FocusEvent) {
      show.current()
      stopClock(event)
    },
    onBlur: startClock,
    onClick(event: PressEvent) {
      if (!(event.target instanceof Element && event.target.closest('button'))) return
      if (!document.activeElement?.closest(list)) return
      const from = before.current
      const back = from instanceof HTMLElement && from.isConnected ? from : document.getElementById('content')
      back?.focus({ preventScroll: true })
    },
  }
}

/** Shows the toasts, as the market draws them: all of the last three, above the bar of a phone. */
export function Toasts() {
  return (
    <div className="contents" {...useFocusBefore()}>
      <Toaster
        customAriaLabel={t('parts_toasts')}
        position="bottom-left"
        expand
        gap={8}
        offset={20}
        mobileOffset={{ left: 12, right: 12, bottom: 'calc(0.75rem + var(--bottom-bar))' }}
        closeButton
        icons={{ error: <CircleAlert className="size-4 text-destructive" />, close: <X className="size-4" /> }}
        toastOptions={{
          unstyled: true,
          closeButtonAriaLabel: t('parts_dismiss'),
          classNames: {
            toast:
              'flex w-(--width) items-center gap-2.5 rounded-lg border bg-popover py-1.5 pr-1.5 pl-4 text-popover-foreground text-sm shadow-lifted',
            error: 'border-destructive/40',
            content: 'min-w-0 flex-1 py-1 wrap-anywhere',
            actionButton: buttonVariants({ variant: 'ghost', size: 'sm' }),
            closeButton: cn(buttonVariants({ variant: 'ghost', size: 'icon-sm' }), 'order-last'),
          },
        }}
      />
    </div>
  )
}
