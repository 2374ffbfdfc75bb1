import { Link } from 'react-router'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'

type Props = { to: string; chosen: boolean; label: string; count?: number }

/** A link to one of several lists on a page, with the number of entries in it. */
export function ListPart({ to, chosen, label, count }: Props) {
  return (
    <Link
      to={to}
      aria-current={chosen ? 'page' : undefined}
      className={cn(
        'touch inline-flex h-8 items-center gap-1.5 rounded-sm px-3 text-sm transition-colors',
        chosen
          ? 'bg-card font-medium shadow-card dark:bg-accent dark:text-accent-foreground'
          : 'text-muted-foreground hover:text-foreground',
      )}
    >
      {label}
      {count !== undefined && <span className="tabular text-muted-foreground text-xs">{formatNumber(count)}</span>}
    </Link>
  )
}
