import type { ReactNode } from 'react'
import { t } from '@/lib/texts'
import { PageLink } from './page-link'

const most = 6

type Props = {
  to: string
  title: string
  count: number
  /** What stands there without any. */
  none: string
  /** The rows of the first ones. */
  children: (most: number) => ReactNode
}

/** A short list of the user's own things beside a page, which leads to all of them. */
export function Beside({ to, title, count, none, children }: Props) {
  return (
    <section aria-label={title} className="rounded-lg border bg-card">
      <h2 className="px-4 pt-3 pb-2 text-base">
        <PageLink to={to} className="touch hover:text-primary hover:underline">
          {title}
        </PageLink>
      </h2>
      {count === 0 ? (
        <p className="border-t px-4 py-3 text-muted-foreground text-sm">{none}</p>
      ) : (
        <ul className="grid divide-y border-t">
          {children(most)}
          {count > most && (
            <li className="px-4 py-2 text-sm">
              <PageLink to={to} className="touch text-primary underline decoration-primary/40 underline-offset-4">
                {t('common_all_count', { count })}
              </PageLink>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}
