import { lazy, type ReactNode, Suspense } from 'react'
import type { Order } from '@/api/types'
import { CopyButton } from '@/components/copy-button'
import { daysUntil, formatDayAndTime, relativeDay } from '@/lib/format'

const RenewButton = lazy(() => import('./RenewButton'))

/** The level requirement, the age and end of the request, and the contacts with a copy button. */
export function CardDetails({ order, own }: { order: Order; own: boolean }) {
  const { category, levelRequirement, createdAt, buyerContact, ign } = order
  return (
    <dl className="@[22rem]:grid @[22rem]:grid-cols-2 flex flex-wrap gap-x-5 text-sm">
      <Detail name="Level">
        {levelRequirement === null ? 'Any' : `${levelRequirement}+`}
        <span className="sr-only"> {category}</span>
      </Detail>
      <Detail name={order.expired ? 'Expired' : 'Posted'}>
        <Day iso={order.expired ? order.expiresAt : createdAt} />
      </Detail>
      {order.status === 'active' && !order.expired && <Ends order={order} own={own} />}
      <Detail name="Discord">
        <Copied text={buyerContact} label={`Copy the Discord name ${buyerContact}`} />
      </Detail>
      {ign && (
        <Detail name="In game">
          <Copied text={ign} label={`Copy the in-game name ${ign}`} />
        </Detail>
      )}
    </dl>
  )
}

const renewableDays = 30

/** When the request expires. The owner can renew it in its last days. */
function Ends({ order, own }: { order: Order; own: boolean }) {
  const soon = own && daysUntil(order.expiresAt) < renewableDays
  return (
    <Detail name="Expires">
      <Day iso={order.expiresAt} />
      {soon && (
        <Suspense>
          <span aria-hidden="true" className="px-1.5">
            ·
          </span>
          <RenewButton order={order} inline />
        </Suspense>
      )}
    </Detail>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex h-7 min-w-0 max-w-full items-center gap-1.5">
      <dt className="shrink-0 text-muted-foreground">{name}</dt>
      <dd className="tabular flex min-w-0 items-center truncate">{children}</dd>
    </div>
  )
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <>
      <span className="truncate" title={text}>
        {text}
      </span>
      <CopyButton text={text} label={label} />
    </>
  )
}

function Day({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatDayAndTime(iso)}>
      {relativeDay(iso)}
    </time>
  )
}
