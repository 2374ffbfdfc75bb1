import { UserRound } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import type { Order } from '@/api/types'
import { CopyButton } from '@/components/copy-button'
import { DiscordMark } from '@/components/discord-mark'
import { details, type FieldName } from '@/lib/fields'
import { daysUntil, formatDay } from '@/lib/format'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { Day } from './Day'

const LookAlikes = lazy(() => import('@/components/look-alikes'))
const RenewButton = lazy(() => import('@/components/renew-button'))

const renewableDays = 30

type Props = { order: Order; own: boolean; full?: boolean; tabIndex?: number }

/** The details with a copy button for names, and when the request expires: always in full, on a card in its last days. */
export function CardDetails({ order, own, full = false, tabIndex }: Props) {
  const { buyerContact, ign, expiresAt } = order
  const active = order.status === 'active' && !order.expired
  const soon = active && daysUntil(expiresAt) < renewableDays
  return (
    <>
      <dl className="mt-0.5 flex flex-wrap gap-x-3 text-sm">
        {details.map(({ name, short, copied }) => {
          const text = order[name]
          return (
            text && (
              <Detail key={name} label={short} icon={icons[name]}>
                <span dir="auto" className="truncate" title={text}>
                  {text}
                </span>
                {copied && (
                  <CopyButton
                    text={text}
                    label={t('orders_copy_field', { name: copied, text })}
                    tabIndex={tabIndex}
                    className="size-6"
                  />
                )}
              </Detail>
            )
          )
        })}
        {active && (soon || full) && (
          <Detail label={t('orders_expires')}>
            {soon ? <Day iso={expiresAt} /> : <time dateTime={expiresAt}>{formatDay(expiresAt)}</time>}
            {own && soon && (
              <Suspense>
                <span aria-hidden="true" className="px-1.5">
                  ·
                </span>
                <RenewButton order={order} inline />
              </Suspense>
            )}
          </Detail>
        )}
      </dl>
      {order.lookAlike && (
        <Suspense fallback={<div className="mt-1 h-10" />}>
          <LookAlikes mark={order.lookAlike} contact={buyerContact} name={ign} />
        </Suspense>
      )}
    </>
  )
}

/** What stands for the label of a name. */
const icons: Partial<Record<FieldName, ComponentType<{ className?: string }>>> = {
  buyerContact: DiscordMark,
  ign: UserRound,
}

type DetailProps = { label: string; icon?: ComponentType<{ className?: string }>; children: ReactNode }

function Detail({ label, icon: Icon, children }: DetailProps) {
  return (
    <div className="flex h-6 min-w-0 max-w-full items-center gap-1.5 pointer-coarse:h-7">
      <dt title={Icon && label} className="shrink-0 text-muted-foreground">
        {Icon ? (
          <>
            <Icon className="size-3.5" />
            <span className="sr-only">{label}</span>
          </>
        ) : (
          label
        )}
      </dt>
      <dd className="tabular flex min-w-0 items-center truncate">{children}</dd>
    </div>
  )
}
