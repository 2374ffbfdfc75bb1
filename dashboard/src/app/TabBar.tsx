import { lazy, Suspense, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { LinkButton } from '@/components/buttons'
import { Button } from '@/components/ui/button'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { useEdgeFade } from '@/hooks/useEdgeFade'
import { useMe } from '@/hooks/useMe'
import { usePhone } from '@/hooks/usePhone'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { useScrollChosenIntoView } from '@/hooks/useScrollChosenIntoView'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'

const BottomBar = lazy(() => import('./BottomBar'))

/** The tabs of a signed-in user, on a phone the bottom bar, or an invitation to sign up. Tabs and
 * invitation have the same height, so that the layout does not shift. */
export function TabBar() {
  const { user, likely } = useMe()
  const phone = usePhone()
  if (phone && (user || likely))
    return (
      <Suspense>
        <BottomBar />
      </Suspense>
    )
  return <div className="border-b">{user || likely ? <Tabs /> : <Invitation />}</div>
}

function Tabs() {
  const { user, counts, isPending } = useMe()
  const row = useEdgeFade<HTMLElement>()
  const roving = useRovingFocus(row)
  const { pathname } = useLocation()
  const board = useBoardAddress()
  useScrollChosenIntoView(row, '[aria-current]', pathname)
  const known = (n: number) => (isPending ? undefined : n)
  return (
    <nav
      ref={row}
      {...roving}
      aria-label={t('common_requests')}
      className="no-scrollbar fade-x mx-auto flex h-11 short:h-10 max-w-board gap-1 overflow-x-auto px-2 sm:px-4"
    >
      <Tab to={board} label={t('common_browse_requests')} />
      <Tab to="/mine" label={t('common_my_requests')} count={known(counts.active)} counted />
      <Tab to="/completed" label={t('common_completed')} count={known(counts.fulfilled)} counted />
      <Tab to="/offers/received" label={t('common_offers_received')} count={known(counts.received)} counted />
      <Tab to="/offers" label={t('common_my_offers')} />
      {isOn('items') && <Tab to="/items" label={t('common_items')} />}
      {user?.moderator && <Tab to="/moderation" label={t('common_moderation')} />}
    </nav>
  )
}

type TabProps = {
  to: string
  label: string
  count?: number
  counted?: boolean
}

function Tab({ to, label, count, counted = false }: TabProps) {
  return (
    <NavLink
      to={to}
      end
      className={({ isActive }) =>
        cn(
          'relative flex shrink-0 items-center gap-2 rounded-sm px-2.5 text-sm transition-colors -outline-offset-2!',
          isActive
            ? 'font-medium text-foreground after:absolute after:inset-x-2.5 after:bottom-0 after:h-0.5 after:rounded-full after:bg-primary'
            : 'text-muted-foreground hover:text-foreground',
        )
      }
    >
      {label}
      {counted && (
        <span className="tabular min-w-6 rounded-full bg-muted px-1.5 text-center text-xs leading-5">
          {count === undefined ? '\u00a0' : formatNumber(count)}
        </span>
      )}
    </NavLink>
  )
}

function Invitation() {
  const { open } = useDialogs()
  const row = useRef<HTMLElement>(null)
  const roving = useRovingFocus(row)
  return (
    <aside
      ref={row}
      {...roving}
      aria-label={t('app_invitation')}
      className="mx-auto flex h-11 short:h-10 max-w-board items-center gap-x-2 px-4 text-sm sm:px-6"
    >
      <span className="truncate text-muted-foreground max-xs:hidden">{t('app_looking')}</span>
      <LinkButton onClick={() => open({ name: 'sign-in', mode: 'sign-up', next: 'post' })}>
        {t('app_sign_up')}
      </LinkButton>
      <span className="-mr-3 ml-auto flex">
        {isOn('items') && (
          <Button asChild variant="ghost" size="sm" className="text-muted-foreground">
            <Link to="/items">{t('common_items')}</Link>
          </Button>
        )}
        {/* Where there is room the header has it. */}
        <Button
          variant="ghost"
          size="sm"
          className="text-muted-foreground pointer-fine:xl:hidden"
          onClick={() => open({ name: 'commands' })}
        >
          {t('common_commands')}
        </Button>
      </span>
    </aside>
  )
}
