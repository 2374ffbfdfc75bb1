import { Suspense } from 'react'
import type { Notice } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { CopyButton } from '@/components/copy-button'
import LookAlikes from '@/components/look-alikes'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { When } from '@/components/when'
import { useDialogs } from '@/hooks/useDialogs'
import { cn } from '@/lib/cn'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { AlertActions } from './AlertActions'
import { wordingOf } from './noticeTexts'
import { RenewOrder } from './RenewOrder'

const HandoverPart = lazy(() => import('@/components/handover'))

const undelivered: Record<Notice['state'], string | null> = {
  pending: null,
  delivered: null,
  refused: t('notices_not_delivered'),
  expired: t('notices_not_in_time'),
}

export function NoticeRow({ notice }: { notice: Notice }) {
  const { icon: Icon, text } = wordingOf(notice.kind)
  const { counterpart, orderId } = notice
  const failure = notice.reason && undelivered[notice.state]
  return (
    <li className={cn('flex gap-3 p-4', !notice.read && 'bg-accent/45')}>
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted-foreground" strokeWidth={1.75} />
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-3">
          <p className="min-w-0 wrap-anywhere">
            {!notice.read && (
              <span className="mr-2 inline-block size-2 rounded-full bg-primary align-middle">
                <span className="sr-only">{t('notices_new')}</span>
              </span>
            )}
            {text(notice)}
          </p>
          <When at={notice.createdAt} className="pt-0.5" />
        </div>
        {notice.message && (
          <p
            dir="auto"
            className="mt-1.5 line-clamp-3 whitespace-pre-line border-l-2 pl-3 text-muted-foreground text-sm wrap-anywhere"
          >
            {notice.message}
          </p>
        )}
        {failure && (
          <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-sm">
            <Tag tone="destructive">{failure}</Tag>
            <span dir="auto" className="text-muted-foreground">
              {notice.reason}
            </span>
          </p>
        )}
        <LookAlikes mark={counterpart.lookAlike} contact={counterpart.contact} name={counterpart.name} />
        {notice.saleId !== undefined &&
          (notice.kind.startsWith('handover_') ||
            notice.kind === 'standing_accepted' ||
            notice.kind === 'listing_sold' ||
            notice.kind === 'ask_accepted') && (
            <Suspense fallback={<div className="mt-2 h-17" />}>
              <HandoverPart sale={notice.saleId} className="mt-2" />
            </Suspense>
          )}
        <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          {counterpart.contact && (
            <span className="flex min-w-0 items-center gap-0.5">
              <span dir="auto" className="truncate text-muted-foreground">
                {counterpart.contact}
              </span>
              <CopyButton
                text={counterpart.contact}
                label={t('offers_copy_discord_name', { contact: counterpart.contact })}
              />
            </span>
          )}
          {orderId !== null && notice.kind === 'offer_received' && <OfferNow notice={notice} orderId={orderId} />}
          {orderId !== null && notice.kind === 'order_expiring' && <RenewOrder orderId={orderId} />}
          {notice.kind === 'request_watched' && <AlertActions notice={notice} />}
          {notice.kind === 'ask_received' && (
            <PageLink
              to="/selling/stock"
              className="touch text-primary underline decoration-primary/40 underline-offset-4"
            >
              {t('listings_open_asks')}
            </PageLink>
          )}
          {notice.saleId !== undefined && (notice.kind === 'meeting_time' || notice.kind === 'meeting_soon') && (
            <PageLink
              to={`/trades/${notice.saleId}`}
              className="touch text-primary underline decoration-primary/40 underline-offset-4"
            >
              {t('handover_open_trade')}
            </PageLink>
          )}
          {notice.kind === 'offer_accepted' && (
            <PageLink
              to={notice.saleId === undefined ? '/selling/offers?show=accepted' : `/trades/${notice.saleId}`}
              className="touch text-primary underline decoration-primary/40 underline-offset-4"
            >
              {notice.saleId === undefined ? t('notices_view_receipt') : t('handover_open_trade')}
            </PageLink>
          )}
          {(notice.kind === 'report_received' || notice.kind === 'report_channel_ended') && (
            <PageLink
              to="/moderation"
              className="touch text-primary underline decoration-primary/40 underline-offset-4"
            >
              {t('notices_open_reports')}
            </PageLink>
          )}
          {notice.kind === 'dispute_received' && (
            <PageLink
              to="/moderation?show=disputes"
              className="touch text-primary underline decoration-primary/40 underline-offset-4"
            >
              {t('notices_open_disputes')}
            </PageLink>
          )}
          {notice.kind === 'look_alike' && orderId !== null && (
            <PageLink
              to={`/requests/${orderId}`}
              className="touch text-primary underline decoration-primary/40 underline-offset-4"
            >
              {t('notices_view_request')}
            </PageLink>
          )}
          {notice.kind === 'many_removals' && (
            <PageLink
              to="/moderation?show=log"
              className="touch text-primary underline decoration-primary/40 underline-offset-4"
            >
              {t('notices_open_log')}
            </PageLink>
          )}
        </div>
      </div>
    </li>
  )
}

/** Leads to where the offer is now: to the offers while it waits, to the receipts once some of it was accepted. */
function OfferNow({ notice, orderId }: { notice: Notice; orderId: number }) {
  const { open } = useDialogs()
  const { open: waits, accepted } = notice.offer ?? { open: true, accepted: 0 } // an older server does not say
  return (
    <>
      {accepted > 0 && (
        <>
          <span className="text-muted-foreground">{t('notices_you_accepted', { accepted })}</span>
          <LinkButton onClick={() => open({ name: 'receipts', request: orderId })}>
            {t('notices_view_receipts')}
          </LinkButton>
        </>
      )}
      {waits && (
        <LinkButton onClick={() => open({ name: 'offers', request: orderId })}>{t('notices_view_offers')}</LinkButton>
      )}
      {!waits && accepted === 0 && <span className="text-muted-foreground">{t('notices_offer_closed')}</span>}
    </>
  )
}
