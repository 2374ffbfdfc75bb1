import { useId, useState } from 'react'
import type { Notice } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { t } from '@/lib/texts'
import { NoticeRow } from './NoticeRow'

/** Puts the notices of a request together, in the order of the newest of each. A notice about no request stands alone. */
export function byRequest(notices: Notice[]): Notice[][] {
  const groups = new Map<number | string, Notice[]>()
  for (const notice of notices) {
    const key = notice.orderId ?? `notice:${notice.id}`
    const group = groups.get(key)
    if (group) group.push(notice)
    else groups.set(key, [notice])
  }
  return [...groups.values()]
}

const shownFirst = 5

/** The notices of one request, the newest first. Of many, the older ones are shown on request. */
export function NoticeGroup({ notices }: { notices: Notice[] }) {
  const [all, setAll] = useState(false)
  const titleId = useId()
  const [newest] = notices
  if (!newest) return null
  const { orderId, itemName } = newest
  const unread = notices.filter((notice) => !notice.read).length
  const shown = all ? notices : notices.slice(0, shownFirst)
  return (
    // No landmark: two requests may be for the same item.
    <article
      aria-labelledby={orderId === null ? undefined : titleId}
      className="overflow-hidden rounded-lg border bg-card"
    >
      {orderId !== null && (
        <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b bg-muted/60 px-4 py-2">
          <h2 id={titleId} dir="auto" className="min-w-0 text-base wrap-anywhere">
            <PageLink to={`/requests/${orderId}`} className="touch hover:text-primary hover:underline">
              {itemName}
            </PageLink>
          </h2>
          {unread > 0 && <Tag tone="accent">{t('notices_new_count', { count: unread })}</Tag>}
        </header>
      )}
      <ul className="divide-y">
        {shown.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </ul>
      {shown.length < notices.length && (
        <div className="border-t px-4 py-2">
          <LinkButton onClick={() => setAll(true)}>
            {t('notices_show_more', { count: notices.length - shown.length })}
          </LinkButton>
        </div>
      )}
    </article>
  )
}
