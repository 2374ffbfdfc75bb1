import { Handshake, Inbox, type LucideIcon, Plus, ScrollText, Store } from 'lucide-react'
import { useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '@/components/ui/button'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'

/** The navigation of a signed-in user on a phone, in reach of the thumb. index.css keeps room for it:
 * --bottom-bar is the height that it covers. */
export default function BottomBar() {
  const { counts } = useMe()
  const { open } = useDialogs()
  const { pathname } = useLocation()
  const board = useBoardAddress()
  const bar = useRef<HTMLElement>(null)
  const roving = useRovingFocus(bar)
  const at = (...paths: string[]) => paths.includes(pathname)
  return (
    <nav
      ref={bar}
      {...roving}
      aria-label={t('app_main_navigation')}
      data-slot="bottom-bar"
      className="fixed inset-x-0 bottom-0 z-30 grid h-(--bottom-bar) grid-cols-5 border-t bg-background pb-[env(safe-area-inset-bottom,0px)]"
    >
      <Place to={board} label={t('app_browse')} icon={Store} chosen={at('/')} />
      <Place
        to="/mine"
        label={t('common_requests')}
        icon={ScrollText}
        chosen={at('/mine', '/completed')}
        count={counts.active}
        counted={t('app_requests_active', { count: counts.active })}
        quiet
      />
      <Button
        className="size-12 place-self-center rounded-full p-0"
        aria-label={t('common_post_request')}
        onClick={() => open({ name: 'post' })}
      >
        <Plus className="size-5!" />
      </Button>
      <Place
        to="/offers/received"
        label={t('common_offers')}
        icon={Handshake}
        chosen={at('/offers', '/offers/received')}
        count={counts.received}
        counted={t('app_offers_waiting', { count: counts.received })}
      />
      <Place
        to="/inbox"
        label={t('common_inbox')}
        icon={Inbox}
        chosen={at('/inbox')}
        count={counts.unread}
        counted={t('app_inbox_unread', { count: counts.unread })}
      />
    </nav>
  )
}

type PlaceProps = {
  to: string
  label: string
  icon: LucideIcon
  chosen: boolean
  count?: number
  /** The label with the count, for screen readers. */
  counted?: string
  /** Whether the count asks for nothing. */
  quiet?: boolean
}

function Place({ to, label, icon: Icon, chosen, count = 0, counted, quiet = false }: PlaceProps) {
  return (
    <Link
      to={to}
      aria-label={count > 0 && counted ? counted : label}
      aria-current={chosen ? 'page' : undefined}
      className={cn(
        'flex min-w-0 flex-col items-center justify-center gap-0.5 text-xs -outline-offset-2!',
        chosen ? 'font-semibold text-primary' : 'text-muted-foreground',
      )}
    >
      <span className="relative">
        <Icon aria-hidden className="size-6" strokeWidth={1.75} />
        {count > 0 && (
          <span
            className={cn(
              'tabular absolute -top-1.5 left-3.5 grid h-4.5 min-w-4.5 place-items-center rounded-full px-1 font-semibold text-[0.75rem] leading-none',
              quiet ? 'bg-secondary text-secondary-foreground' : 'bg-primary text-primary-foreground',
            )}
          >
            {count > 99 ? '99+' : count}
          </span>
        )}
      </span>
      <span className="line-clamp-2 max-w-full px-0.5 text-center leading-3.5">{label}</span>
    </Link>
  )
}
