import type { Order } from '@/api/types'
import { details } from '@/lib/fields'
import { categoryName, importanceNames } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import { CategoryIcon } from './category'
import { Amount } from './coins'
import { CopyButton } from './copy-button'
import LookAlikes from './look-alikes'
import { Tag } from './tag'

/** The whole request that a seller answers. */
export function RequestDetails({ order }: { order: Order }) {
  const { importance, category, levelRequirement, buyerContact, ign } = order
  return (
    <section aria-label={t('parts_request')} className="grid gap-2 rounded-md bg-muted/60 px-3 py-2.5 text-sm">
      <div className="flex items-start justify-between gap-3">
        <h3 dir="auto" className="min-w-0 font-medium text-base wrap-anywhere">
          {order.itemName}
        </h3>
        <p className="shrink-0 text-right">
          <Amount value={order.maxPricePerUnit} /> <span className="text-muted-foreground">{t('common_each')}</span>
        </p>
      </div>
      <p className="flex flex-wrap gap-1.5">
        <Tag tone={importance === 'high' || importance === 'urgent' ? importance : 'quiet'}>
          {rich('parts_request_importance', {
            importance: importanceNames[importance],
            hidden: (text) => <span className="sr-only">{text}</span>,
          })}
        </Tag>
        <Tag tone="outline">
          <CategoryIcon category={category} />
          {categoryName(category)}
        </Tag>
        <Tag tone="outline">
          {levelRequirement === null
            ? t('parts_any_level')
            : t('parts_level_from', { level: String(levelRequirement) })}
        </Tag>
      </p>
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        <div className="flex items-center gap-1.5">
          <dt className="text-muted-foreground">{t('parts_left')}</dt>
          <dd className="tabular">
            {t('parts_left_of', { left: order.quantity - order.sold, quantity: order.quantity })}
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
                  {copied && <CopyButton text={text} label={t('parts_copy_field', { name: copied, text })} />}
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
