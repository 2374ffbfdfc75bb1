import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { auditQuery, newNamesQuery } from '@/api/moderation'
import type { AuditEntry, Undo as UndoAct } from '@/api/types'
import { Notice } from '@/components/notice'
import { Typed } from '@/components/typed'
import { UndoButton } from '@/components/undo-button'
import { When } from '@/components/when'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

/** The log of what each moderator did, when and why. */
export function AuditLog() {
  const query = useInfiniteQuery(auditQuery)
  return (
    <ModerationList
      query={query}
      rows={query.data?.pages.flatMap((page) => page.entries)}
      label={t('moderation_log')}
      loading={t('moderation_log_loading')}
      failure={t('moderation_log_failed')}
      empty={t('moderation_log_empty')}
      hint={t('moderation_log_hint')}
    >
      {(entry) => <AuditRow key={entry.id} entry={entry} />}
    </ModerationList>
  )
}

const strong = (text: ReactNode) => (
  <strong dir="auto" className="font-semibold">
    {text}
  </strong>
)

function describe(entry: AuditEntry): ReactNode {
  const { action, subject, reason } = entry
  const moderator = strong(entry.moderator.username || t('moderation_deleted_moderator'))
  const item = strong(entry.itemName)
  // Two forms of a name, because languages decline it: the second follows a word such as "of".
  const who = <Typed>{subject ? subject.username || t('moderation_deleted_user') : t('moderation_visitor')}</Typed>
  const ofWho = (
    <Typed>{subject ? subject.username || t('moderation_of_deleted_user') : t('moderation_of_visitor')}</Typed>
  )
  const about = { moderator, item, owner: ofWho }
  const user = { moderator, user: strong(who) }
  const ofUser = { moderator, owner: strong(ofWho) }
  switch (action) {
    case 'order_removed':
      return rich('moderation_log_order_removed', about)
    case 'offer_removed':
      return rich('moderation_log_offer_removed', about)
    case 'order_restored':
      return rich('moderation_log_order_restored', about)
    case 'offer_restored':
      return rich('moderation_log_offer_restored', about)
    case 'listing_removed':
      return rich('moderation_log_listing_removed', about)
    case 'listing_restored':
      return rich('moderation_log_listing_restored', about)
    case 'user_blocked':
      return rich('moderation_log_user_blocked', user)
    case 'user_unblocked':
      return rich('moderation_log_user_unblocked', user)
    case 'user_vouched':
      return rich('moderation_log_user_vouched', user)
    case 'user_set_aside':
      return rich('moderation_log_user_set_aside', user)
    case 'user_counted_again':
      return rich('moderation_log_user_counted_again', ofUser)
    case 'user_not_in_ring':
      return rich('moderation_log_user_not_in_ring', user)
    case 'report_dismissed':
      return rich('moderation_log_report_dismissed', about)
    case 'item_confirmed':
      return rich('moderation_log_item_confirmed', about)
    case 'item_merged':
      return rich('moderation_log_item_merged', { moderator, item, into: strong(reason) })
    case 'item_ignored':
      return rich('moderation_log_item_ignored', about)
    case 'item_reopened':
      return rich('moderation_log_item_reopened', about)
    case 'signed_in_only_on':
      return rich('moderation_log_signed_in_only_on', about)
    case 'signed_in_only_off':
      return rich('moderation_log_signed_in_only_off', about)
    case 'programs_trade_on':
      return rich('moderation_log_programs_trade_on', about)
    case 'programs_trade_off':
      return rich('moderation_log_programs_trade_off', about)
    case 'webhook_made':
      return rich('moderation_log_webhook_made', about)
    case 'webhook_changed':
      return rich('moderation_log_webhook_changed', about)
    case 'webhook_ended':
      return rich('moderation_log_webhook_ended', about)
    case 'dispute_met':
      return rich('moderation_log_dispute_met', about)
    case 'dispute_reopened':
      return rich('moderation_log_dispute_reopened', about)
    case 'dispute_looked_at':
      return rich('moderation_log_dispute_looked_at', about)
    case 'dispute_not_met':
      return rich('moderation_log_dispute_not_met', about)
    case 'name_allowed':
      return rich('moderation_log_name_allowed', ofUser)
    case 'name_marked_again':
      return rich('moderation_log_name_marked_again', ofUser)
    case 'reach_stopped':
      return rich('moderation_log_reach_stopped', user)
    case 'reach_allowed':
      return rich('moderation_log_reach_allowed', user)
    default: // written by a newer version of the server
      action satisfies never
      return rich('moderation_log_unknown', about)
  }
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  return (
    <li className="grid gap-1.5 px-4 py-3 text-sm">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 wrap-anywhere">{describe(entry)}</p>
        <When at={entry.at} />
      </div>
      {entry.reason && entry.action !== 'item_merged' && (
        <p dir="auto" className="whitespace-pre-line border-l-2 pl-3 text-muted-foreground wrap-anywhere">
          {entry.reason}
        </p>
      )}
      {entry.undo && <Undo entry={entry} act={entry.undo} />}
    </li>
  )
}

/** What an undo undoes, what it says afterwards, and what else shows it. */
function undoOf({ action, itemName }: AuditEntry) {
  const shown = [keys.lists, keys.counts]
  if (action === 'order_removed')
    return {
      what: t('moderation_undo_request_removal', { item: itemName }),
      done: t('moderation_request_back'),
      shown,
    }
  if (action === 'offer_removed')
    return { what: t('moderation_undo_offer_removal', { item: itemName }), done: t('moderation_offer_back'), shown }
  if (action === 'listing_removed')
    return {
      what: t('moderation_undo_listing_removal', { item: itemName }),
      done: t('moderation_listing_back'),
      shown: [...shown, ['listings']],
    }
  if (action === 'dispute_met' || action === 'dispute_not_met')
    return {
      what: t('moderation_undo_ruling', { item: itemName }),
      done: t('moderation_dispute_back'),
      shown: [...shown, keys.disputes],
    }
  return {
    what: t('moderation_undo_decision', { name: itemName }),
    done: t('moderation_name_back', { name: itemName }),
    shown: [newNamesQuery.queryKey, ['items'], keys.lists],
  }
}

function Undo({ entry, act }: { entry: AuditEntry; act: UndoAct }) {
  const queryClient = useQueryClient()
  const [error, setError] = useState<unknown>()
  const { what, done, shown } = undoOf(entry)
  return (
    <>
      <UndoButton
        act={act}
        variant="outline"
        className="justify-self-start"
        what={what}
        onUndone={() => {
          showToast(done)
          for (const queryKey of [keys.audit, ...shown]) void queryClient.invalidateQueries({ queryKey })
        }}
        onFailed={setError}
      />
      {error !== undefined && <Notice>{messageFor(error, t('moderation_undo_failed'))}</Notice>}
    </>
  )
}
