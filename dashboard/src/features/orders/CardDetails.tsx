import type { ReactNode } from 'react'
import type { Order } from '@/api/types'
import { CopyButton } from '@/components/copy-button'
import { formatDayAndTime, relativeDay } from '@/lib/format'

/** What one must be able to do, how old the request is, and who to write to, in one click. */
export function CardDetails({ order }: { order: Order }) {
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
