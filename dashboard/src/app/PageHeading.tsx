import type { ReactNode } from 'react'

export function PageHeading({ title, line, children }: { title: string; line?: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div>
        <h1 className="text-xl">{title}</h1>
        {line !== undefined && <p className="tabular min-h-5 text-muted-foreground text-sm">{line}</p>}
      </div>
      {children}
    </div>
  )
}
