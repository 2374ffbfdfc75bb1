import { Skeleton } from '@/components/ui/skeleton'
import { t } from '@/lib/texts'

/** The frame of any dialog, until the code is there that knows it. */
export function OpeningFrame() {
  return (
    <div className="fixed inset-0 z-50 grid bg-scrim max-sm:items-end sm:place-items-center">
      <div
        role="dialog"
        aria-modal="true"
        aria-busy="true"
        aria-label={t('parts_loading')}
        className="w-full bg-popover p-5 max-sm:rounded-t-xl sm:max-w-lg sm:rounded-xl"
      >
        <Skeleton className="h-40" />
      </div>
    </div>
  )
}
