import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { cn } from '@/lib/cn'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { usePlace } from './places'

/** A visitor's tabs. */
export function VisitorTabs({ className }: { className: string }) {
  const { offered } = usePlace()
  const board = useBoardAddress()
  return (
    <nav aria-label={t('app_main_navigation')} className={className}>
      <Tab place="browse" to={board} label={t('app_browse')} />
      {isOn('items') && <Tab place="items" to="/items" label={t('common_items')} />}
      {offered && <Tab place="offer" to="/offer" label={t('app_device_offers')} />}
    </nav>
  )
}

type TabProps = {
  place: string
  to: string
  label: string
  /** The label with a number, for screen readers. */
  counted?: string
  children?: ReactNode
}

export function Tab({ place, to, label, counted, children }: TabProps) {
  const current = usePlace().place === place
  return (
    <Link
      to={to}
      aria-current={current ? 'page' : undefined}
      aria-label={counted}
      className={cn(
        'relative flex shrink-0 items-center gap-2 rounded-sm px-2.5 text-sm transition-colors -outline-offset-2!',
        current
          ? 'font-medium text-foreground after:absolute after:inset-x-2.5 after:bottom-0 after:h-0.5 after:rounded-full after:bg-primary'
          : 'text-muted-foreground hover:text-foreground',
      )}
    >
      {label}
      {children}
    </Link>
  )
}
