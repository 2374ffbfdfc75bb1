import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { useScrollChosenIntoView } from '@/hooks/useScrollChosenIntoView'
import { cn } from '@/lib/cn'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { ListPart } from './ListPart'
import { usePlace } from './places'

export type Part = { to: string; label: string; count?: number; phone?: boolean }

type Props = {
  label: string
  /** The address of the part that is shown. */
  chosen: string
  parts: Part[]
  /** Links to other places. */
  children?: ReactNode
}

/** The parts of a place, with the number of things in each. They are one tab stop, as the places are. */
export function PlaceTabs({ label, chosen, parts, children }: Props) {
  const row = useRef<HTMLElement>(null)
  const roving = useRovingFocus(row)
  useScrollChosenIntoView(row, '[aria-current]', `${chosen} ${parts.map(({ count }) => count)}`) // counts make it wider
  return (
    <nav
      ref={row}
      {...roving}
      aria-label={label}
      className="no-scrollbar -mt-3 max-sm:-mt-2 mb-4 flex gap-1 overflow-x-auto border-b py-1.5 max-sm:-mx-4 max-sm:px-4"
    >
      {parts.map(({ phone, ...part }) => (
        <span key={part.to} className={cn('flex shrink-0', phone && 'sm:hidden')}>
          <ListPart {...part} chosen={part.to === chosen} />
        </span>
      ))}
      {children}
    </nav>
  )
}

/** The parts of *My Requests*; on a phone *Completed* is one of them. */
export function RequestsTabs({ chosen }: { chosen: string }) {
  const { user, counts } = usePlace()
  if (!user) return null
  const parts: Part[] = [
    { to: '/mine', label: t('pages_mine_active'), count: counts?.active },
    { to: '/mine/offers', label: t('common_offers_received'), count: counts?.received },
    { to: '/completed', label: t('common_completed'), count: counts?.fulfilled, phone: true },
    { to: '/mine?show=expired', label: t('common_expired'), count: counts?.expired },
    ...(isOn('lists') ? [{ to: '/lists/new', label: t('app_lists') }] : []),
  ]
  return <PlaceTabs label={t('common_my_requests')} chosen={chosen} parts={parts} />
}

/** The parts of *Items*. */
export function ItemsTabs({ chosen }: { chosen: string }) {
  if (!isOn('stock')) return null
  const parts: Part[] = [
    { to: '/items', label: t('pages_all_items') },
    { to: '/items/wanted', label: t('common_wanted') },
  ]
  return (
    <PlaceTabs label={t('common_items')} chosen={chosen} parts={parts}>
      <Link
        to="/selling/saved"
        className="touch ml-auto inline-flex h-8 shrink-0 items-center px-3 text-muted-foreground text-sm hover:text-foreground"
      >
        {t('common_saved_searches')}
      </Link>
    </PlaceTabs>
  )
}
