import { ListChecks } from 'lucide-react'
import { Link } from 'react-router'
import type { Todo } from '@/api/types'
import { useEdgeFade } from '@/hooks/useEdgeFade'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { daysUntil, formatDay, formatWeekday, relativeDay } from '@/lib/format'
import { t } from '@/lib/texts'

/** The things that wait for the user, most urgent first, each a link to where it is done. */
export default function TodoStrip({ todo }: { todo: Todo[] }) {
  const row = useEdgeFade<HTMLUListElement>()
  const roving = useRovingFocus(row)
  return (
    <section aria-label={t('app_todo')} className="border-b bg-accent text-accent-foreground text-sm">
      <div className="mx-auto flex h-10 max-w-board items-center gap-3 px-4 sm:h-9.5 sm:px-6">
        <ListChecks aria-hidden className="size-4 shrink-0" />
        {/* What scrolls cuts what is beyond it: it is as high as a thumb needs, and reaches below the strip. */}
        <ul
          ref={row}
          {...roving}
          className="no-scrollbar fade-x relative -mb-1 flex h-11 min-w-0 overflow-x-auto sm:-mb-1.5"
        >
          {todo.map((one) => {
            const { to, text, action } = entryOf(one)
            return (
              <li
                key={one.kind}
                className="flex shrink-0 items-start not-first:before:mt-2.5 not-first:before:mr-4 not-first:before:h-5 not-first:before:w-px not-first:before:bg-current/25"
              >
                <Link
                  to={to}
                  className="group flex h-11 items-center gap-1 whitespace-nowrap rounded-sm pr-4 pb-1 -outline-offset-2! sm:pb-1.5"
                >
                  {text}{' '}
                  <span className="font-semibold underline decoration-1 underline-offset-4 group-hover:decoration-2">
                    {action}
                  </span>
                </Link>
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}

function entryOf({ kind, count, partner, order, endsAt }: Todo): { to: string; text: string; action: string } {
  switch (kind) {
    case 'answer_offers':
      return { to: '/mine/offers', text: t('app_todo_offers', { count }), action: t('app_todo_answer') }
    case 'answer_asks':
      return { to: '/selling/stock', text: t('app_todo_asks', { count }), action: t('app_todo_answer') }
    case 'confirm_trades':
      return {
        to: partner ? `/trades/with/${partner}` : '/trades',
        text: t('app_todo_trades', { count }),
        action: t('common_we_met'),
      }
    case 'renew_requests':
      return {
        to: order ? `/requests/${order}` : '/mine',
        text: t('app_todo_requests', { count, day: dayOf(endsAt ?? '') }),
        action: t('common_renew'),
      }
  }
}

/** The day on which something ends soon: "today", "tomorrow", "Friday". */
function dayOf(iso: string): string {
  const days = daysUntil(iso)
  if (days < 2) return relativeDay(iso)
  return days < 7 ? formatWeekday(iso) : formatDay(iso)
}
