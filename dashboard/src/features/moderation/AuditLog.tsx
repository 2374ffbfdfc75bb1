import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { auditQuery } from '@/api/moderation'
import type { AuditEntry } from '@/api/types'
import { formatDayAndTime, relativeTime } from '@/lib/format'
import { ModerationList } from './ModerationList'

/** Who did what, to whom, when and why. */
export function AuditLog() {
  const query = useInfiniteQuery(auditQuery)
  return (
    <ModerationList
      query={query}
      rows={query.data?.pages.flatMap((page) => page.entries)}
      label="What moderators did"
      failure="Failed to load the log. Please try again."
      empty="Nothing has been done yet"
      hint="Every removal, block and dismissed report is noted here, and nothing is ever taken out."
    >
      {(entry) => <AuditRow key={entry.id} entry={entry} />}
    </ModerationList>
  )
}

const strong = (text: string) => <strong className="font-semibold">{text}</strong>

function sentenceOf({ action, itemName, subject }: AuditEntry): ReactNode {
  const whom = subject ? subject.username || 'somebody who has left' : 'a visitor'
  switch (action) {
    case 'order_removed':
      return (
        <>
          removed the request {strong(itemName)} of {whom}
        </>
      )
    case 'offer_removed':
      return (
        <>
          removed an offer on {strong(itemName)} of {whom}
        </>
      )
    case 'user_blocked':
      return <>blocked {strong(whom)}</>
    case 'user_unblocked':
      return <>unblocked {strong(whom)}</>
    case 'report_dismissed':
      return (
        <>
          dismissed a report on {strong(itemName)} of {whom}
        </>
      )
  }
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  return (
    <li className="grid gap-1.5 px-4 py-3 text-sm">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 wrap-anywhere">
          {strong(entry.moderator.username || 'somebody who has left')} {sentenceOf(entry)}
        </p>
        <time dateTime={entry.at} title={formatDayAndTime(entry.at)} className="shrink-0 text-muted-foreground text-xs">
          {relativeTime(entry.at)}
        </time>
      </div>
      {entry.reason && (
        <p className="whitespace-pre-line border-l-2 pl-3 text-muted-foreground wrap-anywhere">{entry.reason}</p>
      )}
    </li>
  )
}
