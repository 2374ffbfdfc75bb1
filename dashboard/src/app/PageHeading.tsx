import type { ReactNode } from 'react'

type Props = { title: string; line?: ReactNode; count?: string | undefined; children?: ReactNode }

/** The heading of a page, and what to do there. Both are one text, as in the document that the server draws (web/firstlook): a
 * browser takes the largest text for the page's main content, and waits for it. */
export function PageHeading({ title, line, count, children }: Props) {
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="text-sm">
        <div>
          <h1 className="inline text-xl">{title}</h1>
          <br />
          <p className="tabular inline text-muted-foreground">{line || '\u00a0'}</p>
        </div>
        {count !== undefined && <p className="tabular min-h-5 text-muted-foreground">{count}</p>}
      </div>
      {children}
    </div>
  )
}
