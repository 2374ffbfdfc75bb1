import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import {
  allowOfferNames,
  allowOrderNames,
  blockUser,
  dismissReport,
  removeListing,
  removeOffer,
  removeOrder,
  reportsQuery,
} from '@/api/moderation'
import type { Report } from '@/api/types'
import { QuietDestructiveButton } from '@/components/buttons'
import LookAlikes from '@/components/look-alikes'
import { Notice } from '@/components/notice'
import { Dialog, DialogContent } from '@/components/page-dialog'
import { PageLink } from '@/components/page-link'
import { ReasonForm } from '@/components/reason-form'
import { Tag } from '@/components/tag'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { When } from '@/components/when'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useMe } from '@/hooks/useMe'
import { printCopper } from '@/lib/copper'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

/** The open reports, with the actions on each. */
export function Reports() {
  const query = useInfiniteQuery(reportsQuery)
  const reports = query.data?.pages.flatMap((page) => page.reports)
  return (
    <ModerationList
      query={query}
      rows={reports}
      label={t('moderation_reports')}
      loading={t('moderation_reports_loading')}
      failure={t('moderation_reports_failed')}
      empty={t('moderation_reports_empty')}
      hint={t('moderation_reports_hint')}
    >
      {(report) => <ReportRow key={report.id} report={report} />}
    </ModerationList>
  )
}

type Action = 'remove' | 'block'

function ReportRow({ report }: { report: Report }) {
  const [action, setAction] = useState<Action | null>(null)
  const dismiss = useDismiss(report)
  const allow = useAllowNames(report)
  const { user } = useMe()
  const aboutReader = report.subject !== null && report.subject.id === user?.id
  const aboutOffer = report.offerId !== null
  const aboutListing = report.listingId !== undefined
  const there = aboutListing ? report.listing !== undefined : aboutOffer ? report.offer !== null : report.order !== null
  const marked = aboutOffer ? report.offer?.lookAlike : report.order?.lookAlike
  const about = {
    item: report.order ? (
      <PageLink to={`/requests/${report.orderId}`} className="hover:text-primary hover:underline">
        <Typed>{report.itemName}</Typed>
      </PageLink>
    ) : (
      report.itemName
    ),
    owner: <Typed>{report.subject?.username || t('moderation_of_visitor')}</Typed>,
  }
  return (
    <li className="grid gap-3 p-4">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-base wrap-anywhere">
          {aboutListing
            ? rich('moderation_report_on_listing', about)
            : aboutOffer
              ? rich('moderation_report_on_offer', about)
              : rich('moderation_report_on_request', about)}
        </h2>
        <When at={report.createdAt} />
      </div>
      {report.count > 1 && (
        <Tag className="justify-self-start">{t('moderation_report_count', { count: report.count })}</Tag>
      )}
      {report.reasons.map((reason) => (
        <div key={`${reason.reporter?.id ?? 'visitor'} ${reason.createdAt}`} className="grid gap-1">
          <p dir="auto" className="whitespace-pre-line border-l-2 pl-3 text-sm wrap-anywhere">
            {reason.reason}
          </p>
          <p className="text-muted-foreground text-sm">
            {rich('moderation_reported_by', {
              reporter: <Typed>{reason.reporter?.username || t('moderation_of_visitor')}</Typed>,
            })}
          </p>
        </div>
      ))}
      {report.count > report.reasons.length && (
        <p className="text-muted-foreground text-sm">
          {t('moderation_reports_more', { count: report.count - report.reasons.length })}
        </p>
      )}
      {report.offer && (
        <p className="text-sm wrap-anywhere">
          {rich('moderation_report_offer', {
            seller: <Typed>{report.offer.sellerName}</Typed>,
            contact: <Typed>{report.offer.sellerContact}</Typed>,
            quantity: report.offer.quantityOffered,
            message: <Typed>{report.offer.message}</Typed>,
          })}
        </p>
      )}
      {report.listing && <ReportedListing listing={report.listing} />}
      {report.offer ? (
        <LookAlikes mark={report.offer.lookAlike} contact={report.offer.sellerContact} name={report.offer.sellerName} />
      ) : (
        <LookAlikes mark={report.order?.lookAlike} contact={report.order?.buyerContact} name={report.order?.ign} />
      )}
      {report.order && !aboutOffer && report.order.description && (
        <p dir="auto" className="line-clamp-3 whitespace-pre-line text-sm wrap-anywhere">
          {report.order.description}
        </p>
      )}
      {!there && <Tag className="justify-self-start">{t('moderation_report_gone')}</Tag>}
      {report.order?.hidden && <Tag className="justify-self-start">{t('moderation_report_hidden')}</Tag>}
      {dismiss.isError && <Notice>{messageFor(dismiss.error, t('moderation_dismiss_failed'))}</Notice>}
      {allow.isError && <Notice>{messageFor(allow.error, t('moderation_allow_name_failed'))}</Notice>}
      {aboutReader && <p className="text-muted-foreground text-sm">{t('moderation_report_about_you')}</p>}
      {!aboutReader && (
        <div className="flex flex-wrap gap-2">
          {there && (
            <QuietDestructiveButton size="sm" onClick={() => setAction('remove')}>
              {aboutListing
                ? t('moderation_remove_listing_open')
                : aboutOffer
                  ? t('moderation_remove_offer_open')
                  : t('moderation_remove_request_open')}
            </QuietDestructiveButton>
          )}
          {report.subject && (
            <QuietDestructiveButton size="sm" onClick={() => setAction('block')}>
              {rich('moderation_block_open', { name: <Typed>{report.subject.username}</Typed> })}
            </QuietDestructiveButton>
          )}
          {marked && (
            <Button variant="outline" size="sm" disabled={allow.isPending} onClick={() => allow.mutate()}>
              {t('moderation_allow_name')}
            </Button>
          )}
          <Button
            variant="outline"
            size="sm"
            className="ml-auto"
            disabled={dismiss.isPending}
            onClick={() => dismiss.mutate()}
          >
            {t('moderation_dismiss')}
          </Button>
        </div>
      )}
      <ActionDialog report={report} action={action} onClose={() => setAction(null)} />
    </li>
  )
}

function ReportedListing({ listing: { quantity, price, note } }: { listing: NonNullable<Report['listing']> }) {
  const each = { quantity, price: printCopper(BigInt(price)) }
  return (
    <p className="text-sm wrap-anywhere">
      {note
        ? rich('moderation_report_listing', { ...each, note: <Typed>{note}</Typed> })
        : t('moderation_report_listing_plain', each)}
    </p>
  )
}

/** Returns a function that refetches the lists of the moderation page. */
function useRefreshModeration() {
  const queryClient = useQueryClient()
  return () => {
    for (const queryKey of [keys.reports, keys.audit, keys.blocks, keys.lists, keys.counts, ['listings']]) {
      void queryClient.invalidateQueries({ queryKey })
    }
  }
}

function useDismiss(report: Report) {
  const writes = useIdempotencyKey()
  const refresh = useRefreshModeration()
  return useMutation({
    mutationFn: () => dismissReport(report.id, writes.keyFor(['dismiss', report.id])),
    onSuccess() {
      showToast(t('moderation_dismissed'))
      refresh()
    },
  })
}

function useAllowNames({ offerId, orderId }: Report) {
  const writes = useIdempotencyKey()
  const refresh = useRefreshModeration()
  return useMutation({
    mutationFn() {
      const key = writes.keyFor(['allow-names', orderId, offerId])
      return offerId === null ? allowOrderNames(orderId, key) : allowOfferNames(offerId, key)
    },
    onSuccess() {
      showToast(t('moderation_name_allowed'))
      refresh()
    },
  })
}

type DialogProps = { report: Report; action: Action | null; onClose: () => void }

function ActionDialog({ report, action, onClose }: DialogProps) {
  const refresh = useRefreshModeration()
  const offer = report.offerId
  const listing = report.listingId
  const name = report.subject?.username ?? ''
  const removing = {
    title:
      listing !== undefined
        ? t('moderation_remove_listing')
        : offer === null
          ? t('moderation_remove_request')
          : t('moderation_remove_offer'),
    help: listing === undefined ? t('moderation_remove_help') : t('moderation_remove_listing_help'),
    busy: t('moderation_removing'),
    failure: t('moderation_remove_failed'),
    done: t('moderation_removed'),
  }
  const blocking = {
    title: t('moderation_block', { name }),
    help: t('moderation_block_help'),
    busy: t('common_blocking'),
    failure: t('moderation_block_failed'),
    done: t('moderation_user_blocked', { name }),
  }
  const text = action === 'block' ? blocking : removing

  async function send(reason: string, key: string) {
    if (action === 'block' && report.subject) await blockUser(report.subject.id, reason, key)
    else if (listing !== undefined) await removeListing(listing, reason, key)
    else if (offer !== null) await removeOffer(offer, reason, key)
    else await removeOrder(report.orderId, reason, key)
    showToast(text.done)
    onClose()
    refresh()
  }

  return (
    <Dialog open={action !== null} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={text.title} className="sm:max-w-md">
        <ReasonForm
          name={`${action}.report.${report.id}`}
          help={text.help}
          button={text.title}
          busy={text.busy}
          destructive
          failure={text.failure}
          send={send}
          onCancel={onClose}
        />
      </DialogContent>
    </Dialog>
  )
}
