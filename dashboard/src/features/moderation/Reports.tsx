import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import {
  allowOfferNames,
  allowOrderNames,
  blockUser,
  dismissReport,
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
import { formatNumber } from '@/lib/format'
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
      label="Reports"
      failure="Failed to load reports. Please try again."
      empty="No reports are waiting"
      hint="Reports from the board and from Discord appear here."
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
  const there = aboutOffer ? report.offer !== null : report.order !== null
  const marked = aboutOffer ? report.offer?.lookAlike : report.order?.lookAlike
  return (
    <li className="grid gap-3 p-4">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-base wrap-anywhere">
          {aboutOffer ? 'Offer on ' : 'Request '}
          {report.order ? (
            <PageLink to={`/requests/${report.orderId}`} className="hover:text-primary hover:underline">
              <Typed>{report.itemName}</Typed>
            </PageLink>
          ) : (
            report.itemName
          )}{' '}
          of <Typed>{report.subject?.username || 'a visitor'}</Typed>
        </h2>
        <When at={report.createdAt} />
      </div>
      {report.count > 1 && <Tag className="justify-self-start">{formatNumber(report.count)} reports</Tag>}
      {report.reasons.map((reason) => (
        <div key={`${reason.reporter?.id ?? 'visitor'} ${reason.createdAt}`} className="grid gap-1">
          <p dir="auto" className="whitespace-pre-line border-l-2 pl-3 text-sm wrap-anywhere">
            {reason.reason}
          </p>
          <p className="text-muted-foreground text-sm">
            Reported by <Typed>{reason.reporter?.username || 'a visitor'}</Typed>
          </p>
        </div>
      ))}
      {report.count > report.reasons.length && (
        <p className="text-muted-foreground text-sm">… and {formatNumber(report.count - report.reasons.length)} more</p>
      )}
      {report.offer && (
        <p className="text-sm wrap-anywhere">
          <Typed>{report.offer.sellerName}</Typed> (<Typed>{report.offer.sellerContact}</Typed>) offers{' '}
          {formatNumber(report.offer.quantityOffered)}: <Typed>{report.offer.message}</Typed>
        </p>
      )}
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
      {!there && <Tag className="justify-self-start">No longer there</Tag>}
      {report.order?.hidden && <Tag className="justify-self-start">Hidden: its buyer is blocked</Tag>}
      {dismiss.isError && <Notice>{messageFor(dismiss.error, 'Failed to dismiss. Please try again.')}</Notice>}
      {allow.isError && <Notice>{messageFor(allow.error, 'Failed to allow the name. Please try again.')}</Notice>}
      {aboutReader && (
        <p className="text-muted-foreground text-sm">This report is about you. Another moderator has to handle it.</p>
      )}
      {!aboutReader && (
        <div className="flex flex-wrap gap-2">
          {there && (
            <QuietDestructiveButton size="sm" onClick={() => setAction('remove')}>
              {aboutOffer ? 'Remove offer…' : 'Remove request…'}
            </QuietDestructiveButton>
          )}
          {report.subject && (
            <QuietDestructiveButton size="sm" onClick={() => setAction('block')}>
              Block <Typed>{report.subject.username}</Typed>…
            </QuietDestructiveButton>
          )}
          {marked && (
            <Button variant="outline" size="sm" disabled={allow.isPending} onClick={() => allow.mutate()}>
              Don't mark the name
            </Button>
          )}
          <Button
            variant="outline"
            size="sm"
            className="ml-auto"
            disabled={dismiss.isPending}
            onClick={() => dismiss.mutate()}
          >
            Dismiss
          </Button>
        </div>
      )}
      <ActionDialog report={report} action={action} onClose={() => setAction(null)} />
    </li>
  )
}

/** Returns a function that refetches the lists of the moderation page. */
function useRefreshModeration() {
  const queryClient = useQueryClient()
  return () => {
    for (const queryKey of [keys.reports, keys.audit, keys.blocks, keys.lists, keys.counts]) {
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
      showToast('Report dismissed.')
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
      showToast("The name isn't marked any more.")
      refresh()
    },
  })
}

type DialogProps = { report: Report; action: Action | null; onClose: () => void }

function ActionDialog({ report, action, onClose }: DialogProps) {
  const refresh = useRefreshModeration()
  const offer = report.offerId
  const name = report.subject?.username ?? ''
  const removing = {
    title: offer === null ? 'Remove Request' : 'Remove Offer',
    help: 'The owner will see this reason. A moderator can undo the removal for 30 days.',
    busy: 'Removing...',
    failure: 'Failed to remove it. Please try again.',
    done: 'Removed.',
  }
  const blocking = {
    title: `Block ${name}`,
    help: "They'll see this reason. They can't trade, and their requests are hidden, until a moderator unblocks them.",
    busy: 'Blocking...',
    failure: 'Failed to block them. Please try again.',
    done: `${name} is blocked.`,
  }
  const text = action === 'block' ? blocking : removing

  async function send(reason: string, key: string) {
    if (action === 'block' && report.subject) await blockUser(report.subject.id, reason, key)
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
