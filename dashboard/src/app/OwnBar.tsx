import { Bell, LogOut } from 'lucide-react'
import { useRef } from 'react'
import { NavLink } from 'react-router'
import type { User } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { useEdgeFade } from '@/hooks/useEdgeFade'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { useScrollChosenIntoView } from '@/hooks/useScrollChosenIntoView'
import { useSignOut } from '@/hooks/useSignOut'
import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'
import { commandKey, commandKeyName } from '@/lib/keyboard'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { AccountMenu } from './LazyAccountMenu'
import { sells, usePlace } from './places'
import { Tab } from './Tabs'
import { OffersWaiting, Waiting } from './Waiting'

/** The tabs of a user: in the header where there is room, else in a row below it. */
export function Tabs({ inHeader = false, className }: { inHeader?: boolean; className: string }) {
  const { counts, pathname } = usePlace()
  const confirm = counts?.confirm ?? 0
  const active = counts?.active ?? 0
  const received = counts?.received ?? 0
  const row = useEdgeFade<HTMLElement>()
  const none = useRef<HTMLElement>(null)
  const roving = useRovingFocus(inHeader ? none : row) // the header is one tab stop
  const board = useBoardAddress()
  useScrollChosenIntoView(row, '[aria-current]', pathname)
  return (
    <nav
      ref={row}
      {...(inHeader ? undefined : roving)}
      aria-label={t('app_main_navigation')}
      className={cn('no-scrollbar fade-x flex', className)}
    >
      <Tab place="browse" to={board} label={t('common_browse_requests')} />
      <Tab
        place="mine"
        to="/mine"
        label={t('common_my_requests')}
        counted={
          received > 0 ? t('app_requests_waiting', { label: t('common_my_requests'), active, received }) : undefined
        }
      >
        <Count count={counts?.active} />
        {received > 0 && <OffersWaiting count={received} />}
      </Tab>
      <Tab place="completed" to="/completed" label={t('common_completed')}>
        <Count count={counts?.fulfilled} />
      </Tab>
      {sells() && <Tab place="selling" to="/selling" label={t('common_selling')} />}
      {isOn('handover') && (
        <Tab
          place="trades"
          to="/trades"
          label={t('common_trades')}
          counted={confirm > 0 ? t('app_trades_waiting', { label: t('common_trades'), count: confirm }) : undefined}
        >
          {confirm > 0 && <Waiting count={confirm} />}
        </Tab>
      )}
      {isOn('items') && <Tab place="items" to="/items" label={t('common_items')} />}
    </nav>
  )
}

/** How many there are; a blank while that is not known. */
function Count({ count }: { count: number | undefined }) {
  return (
    <span className="tabular min-w-6 rounded-full bg-muted px-1.5 text-center text-xs leading-5">
      {count === undefined ? '\u00a0' : formatNumber(count)}
    </span>
  )
}

/** The commands, the inbox, the account and Sign Out. */
export function Account({ user }: { user: User }) {
  const { counts } = usePlace()
  const { open } = useDialogs()
  const signOut = useSignOut()
  return (
    <>
      <Button
        variant="ghost"
        className="hidden px-2 pointer-fine:xl:inline-flex"
        aria-label={t('common_commands')}
        aria-keyshortcuts={commandKeyName}
        onClick={() => open({ name: 'commands' })}
      >
        <Kbd>{commandKey}</Kbd>
      </Button>
      <InboxLink unread={counts?.unread ?? 0} />
      <AccountMenu user={user} onSignOut={signOut} />
      <Button variant="ghost" className="hidden px-3 xl:inline-flex" onClick={signOut}>
        <LogOut /> {t('common_sign_out')}
      </Button>
    </>
  )
}

function InboxLink({ unread }: { unread: number }) {
  return (
    <Button asChild variant="ghost" size="icon" className="relative">
      <NavLink to="/inbox" aria-label={unread > 0 ? t('app_inbox_unread', { count: unread }) : t('common_inbox')}>
        <Bell />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="tabular absolute top-0.5 right-0 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-primary px-1 font-semibold text-[0.6875rem] text-primary-foreground leading-none"
          >
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </NavLink>
    </Button>
  )
}
