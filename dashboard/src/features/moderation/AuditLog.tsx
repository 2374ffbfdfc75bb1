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
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

/** The log of what each moderator did, when and why. */
export function AuditLog() {
  const query = useInfiniteQuery(auditQuery)
  return (
    <ModerationList
      query={query}
      rows={query.data?.pages.flatMap((page) => page.entries)}
      label="What moderators did"
      failure="Failed to load the log. Please try again."
      empty="No actions yet"
      hint="Every removal, block and dismissed report is recorded here permanently."
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

function describe({ action, itemName, subject, reason }: AuditEntry): ReactNode {
  const owner = <Typed>{subject ? subject.username || 'a deleted user' : 'a visitor'}</Typed>
  switch (action) {
    case 'order_removed':
      return (
        <>
          removed the request {strong(itemName)} of {owner}
        </>
      )
    case 'offer_removed':
      return (
        <>
          removed an offer on {strong(itemName)} of {owner}
        </>
      )
    case 'order_restored':
      return (
        <>
          restored the request {strong(itemName)} of {owner}
        </>
      )
    case 'offer_restored':
      return (
        <>
          restored an offer on {strong(itemName)} of {owner}
        </>
      )
    case 'user_blocked':
      return <>blocked {strong(owner)}</>
    case 'user_unblocked':
      return <>unblocked {strong(owner)}</>
    case 'user_vouched':
      return <>vouched for {strong(owner)}</>
    case 'user_set_aside':
      return <>set {strong(owner)} aside: their trades count for nothing</>
    case 'user_counted_again':
      return <>had the trades of {strong(owner)} count again</>
    case 'user_not_in_ring':
      return <>decided that {strong(owner)} is in no ring</>
    case 'report_dismissed':
      return (
        <>
          dismissed a report on {strong(itemName)} of {owner}
        </>
      )
    case 'item_confirmed':
      return <>confirmed the item {strong(itemName)}</>
    case 'item_merged':
      return (
        <>
          merged the item {strong(itemName)} into {strong(reason)}
        </>
      )
    case 'item_ignored':
      return <>ignored the name {strong(itemName)}</>
    case 'item_reopened':
      return <>undid the decision on the name {strong(itemName)}</>
    case 'signed_in_only_on':
      return 'had only signed-in sellers offer, on every request'
    case 'signed_in_only_off':
      return 'let visitors offer again'
    case 'dispute_met':
      return <>settled a dispute about {strong(itemName)}: they met</>
    case 'dispute_looked_at':
      return <>looks at a dispute about {strong(itemName)}</>
    case 'dispute_not_met':
      return <>settled a dispute about {strong(itemName)}: it did not happen</>
    case 'name_allowed':
      return <>let {strong(owner)} use a name that looks like an established trader's</>
    case 'name_marked_again':
      return <>had the name of {strong(owner)} marked again</>
    case 'reach_stopped':
      return <>stopped messages because of {strong(owner)}</>
    case 'reach_allowed':
      return <>allowed messages because of {strong(owner)} again</>
    default: // written by a newer version of the server
      action satisfies never
      return "did something this page can't show yet. Reload the page to see it."
  }
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  return (
    <li className="grid gap-1.5 px-4 py-3 text-sm">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 wrap-anywhere">
          {strong(entry.moderator.username || 'a deleted user')} {describe(entry)}
        </p>
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
  if (action === 'order_removed' || action === 'offer_removed') {
    const what = action === 'order_removed' ? 'request' : 'offer'
    return {
      what: `removal of the ${what} ${itemName}`,
      done: `The ${what} is back.`,
      shown: [keys.lists, keys.counts],
    }
  }
  return {
    what: `decision on the name ${itemName}`,
    done: `${itemName} is among the new names again.`,
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
        what={`the ${what}`}
        onUndone={() => {
          showToast(done)
          for (const queryKey of [keys.audit, ...shown]) void queryClient.invalidateQueries({ queryKey })
        }}
        onFailed={setError}
      />
      {error !== undefined && <Notice>{messageFor(error, 'Failed to undo that. Please try again.')}</Notice>}
    </>
  )
}
