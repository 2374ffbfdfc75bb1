import { type ComponentProps, Suspense } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { late } from '@/lib/late'
import { t } from '@/lib/texts'
import type { RequestPanel as Loaded } from './RequestPanel'

type Props = ComponentProps<typeof Loaded>

const Panel = late(() => import('./RequestPanel').then((m) => m.RequestPanel))

/** Loads the code of the panel before a request is opened in it. */
export const prefetchPanel = Panel.prefetch

/** The request beside the list. Its frame stands there at once. */
export function RequestPanel({ itemName, ...props }: Props & { itemName: string | undefined }) {
  return (
    <Suspense fallback={<Frame itemName={itemName} />}>
      <Panel {...props} />
    </Suspense>
  )
}

function Frame({ itemName = t('orders_request') }: { itemName: string | undefined }) {
  return (
    <aside
      aria-busy="true"
      aria-labelledby="panel-title"
      className="sticky top-17 overflow-hidden rounded-lg border bg-card text-card-foreground shadow-card"
    >
      <h2 id="panel-title" dir="auto" className="border-b px-4 pt-3 pb-2.5 text-lg wrap-anywhere">
        {itemName}
      </h2>
      <div role="status" aria-label={t('orders_loading_one')} className="p-4">
        <Skeleton className="h-40" />
      </div>
    </aside>
  )
}
