import { CircleAlert, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { cn } from '@/lib/cn'
import { currentToasts, dismiss, subscribeToasts } from '@/lib/toasts'
import { Button } from './ui/button'

/** Shows the toasts. The region exists from the start, so that screen readers announce new ones. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts)
  return (
    <section
      aria-label="Messages"
      data-slot="toaster"
      className="pointer-events-none fixed inset-x-3 bottom-[calc(0.75rem+var(--bottom-bar))] z-60 flex flex-col items-center gap-2 sm:inset-x-auto sm:right-5 sm:bottom-5 sm:items-end"
    >
      <div aria-live="polite" className="contents">
        {toasts.map((toast) => (
          <div
            key={toast.id}
            className={cn(
              'slide-in-from-bottom-3 fade-in-0 pointer-events-auto flex w-full max-w-96 animate-in items-center gap-2.5 rounded-lg border bg-popover py-1.5 pr-1.5 pl-4 text-sm shadow-lifted',
              toast.tone === 'error' && 'border-destructive/40',
            )}
          >
            {toast.tone === 'error' && <CircleAlert aria-hidden className="size-4 shrink-0 text-destructive" />}
            <p className="min-w-0 flex-1 py-1 wrap-anywhere">{toast.text}</p>
            {toast.action && (
              <Button
                variant="ghost"
                size="sm"
                onClick={() => {
                  dismiss(toast.id)
                  toast.action?.run()
                }}
              >
                {toast.action.label}
              </Button>
            )}
            <Button variant="ghost" size="icon-sm" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
              <X />
            </Button>
          </div>
        ))}
      </div>
    </section>
  )
}
