import type { Order } from '@/api/types'
import { details } from '@/lib/fields'
import { formatNumber } from '@/lib/format'
import { importanceNames } from '@/lib/market'
import { CategoryIcon } from './category'
import { Amount } from './coins'
import { CopyButton } from './copy-button'
import LookAlikes from './look-alikes'
import { Tag } from './tag'

/** The whole request that a seller answers. */
export function RequestDetails({ order }: { order: Order }) {
  const { importance, category, levelRequirement, buyerContact, ign } = order
  return (
    <section aria-label="The request" className="grid gap-2 rounded-md bg-muted/60 px-3 py-2.5 text-sm">
      <div className="flex items-start justify-between gap-3">
        <h3 dir="auto" className="min-w-0 font-medium text-base wrap-anywhere">
          {order.itemName}
        </h3>
        <p className="shrink-0 text-right">
          <Amount value={order.maxPricePerUnit} /> <span className="text-muted-foreground">each</span>
        </p>
      </div>
      <p className="flex flex-wrap gap-1.5">
        <Tag tone={importance === 'high' || importance === 'urgent' ? importance : 'quiet'}>
          <span className="sr-only">Importance: </span>
          {importanceNames[importance]}
        </Tag>
        <Tag tone="outline">
          <CategoryIcon category={category} />
          {category}
        </Tag>
        <Tag tone="outline">{levelRequirement === null ? 'Any level' : `Level ${levelRequirement}+`}</Tag>
      </p>
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        <div className="flex items-center gap-1.5">
          <dt className="text-muted-foreground">Left</dt>
          <dd className="tabular">
            {formatNumber(order.quantity - order.sold)} of {formatNumber(order.quantity)}
          </dd>
        </div>
        {details.map(({ name, short, copied }) => {
          const text = order[name]
          return (
            text && (
              <div key={name} className="flex min-w-0 items-center gap-1.5">
                <dt className="text-muted-foreground">{short}</dt>
                <dd className="flex min-w-0 items-center">
                  <span dir="auto" className="truncate">
                    {text}
                  </span>
                  {copied && <CopyButton text={text} label={`Copy the ${copied} ${text}`} />}
                </dd>
              </div>
            )
          )
        })}
      </dl>
      <LookAlikes mark={order.lookAlike} contact={buyerContact} name={ign} />
      {order.description && (
        <p
          dir="auto"
          className="max-h-40 overflow-y-auto whitespace-pre-line border-l-2 pl-3 text-muted-foreground wrap-anywhere"
        >
          {order.description}
        </p>
      )}
    </section>
  )
}
