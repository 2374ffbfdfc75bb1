import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'

type Props = {
  open: boolean
  onOpen: (open: boolean) => void
  /** The id of what it opens. */
  controls: string
  /** What the line has the values of, for screen readers. */
  label: string
  parts: ReactNode[]
}

/** The values of folded fields in one line, which opens them in place. */
export function FoldLine({ open, onOpen, controls, label, parts }: Props) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={controls}
      onClick={() => onOpen(!open)}
      className="flex min-h-11 w-full items-center gap-2.5 rounded-md bg-muted px-3 py-2 text-left text-sm transition-colors hover:bg-accent hover:text-accent-foreground"
    >
      <ChevronDown aria-hidden className={cn('size-4 shrink-0 transition-transform', !open && '-rotate-90')} />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="sr-only">{label} </span>
        {parts.map((part, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have their order
          <span key={i}>
            {i > 0 && ' · '}
            {part}
          </span>
        ))}
      </span>
      <span className="shrink-0 font-medium text-primary">{open ? t('orders_fold') : t('orders_fold_change')}</span>
    </button>
  )
}
