import { Handshake, type LucideIcon, Package, Plus, ScrollText, Send, Store, Tag } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/button'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { cn } from '@/lib/cn'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { sells, usePlace } from './places'

/** The places on a phone, in reach of the thumb. index.css keeps room for it: --bottom-bar is the height that it covers. */
export default function BottomBar() {
  const { signedIn, offered, counts, place } = usePlace()
  const { open } = useDialogs()
  const board = useBoardAddress()
  const bar = useRef<HTMLElement>(null)
  const roving = useRovingFocus(bar)
  const active = counts?.active ?? 0
  const confirm = counts?.confirm ?? 0
  const received = counts?.received ?? 0
  return (
    <nav
      ref={bar}
      {...roving}
      aria-label={t('app_main_navigation')}
      data-slot="bottom-bar"
      className="fixed inset-x-0 bottom-0 z-30 grid h-(--bottom-bar) auto-cols-fr grid-flow-col border-t bg-background pb-[env(safe-area-inset-bottom,0px)]"
    >
      <Place to={board} label={t('app_browse')} icon={Store} chosen={place === 'browse'} />
      {signedIn && (
        <Place
          to="/mine"
          label={t('common_requests')}
          icon={ScrollText}
          chosen={place === 'mine' || place === 'completed'}
          count={received || active}
          counted={
            received > 0
              ? t('app_requests_waiting', { label: t('common_requests'), active, received })
              : t('app_requests_active', { count: active })
          }
          tone={received > 0 ? 'bg-accent text-accent-foreground ring-1 ring-primary/40' : quiet}
        />
      )}
      <Button
        className="size-12 place-self-center rounded-full p-0"
        aria-label={t('common_post_request')}
        onClick={() => open(signedIn ? { name: 'post' } : { name: 'sign-in', mode: 'sign-up', next: 'post' })}
      >
        <Plus className="size-5!" />
      </Button>
      {signedIn && sells() && (
        <Place to="/selling" label={t('common_selling')} icon={Tag} chosen={place === 'selling'} />
      )}
      {signedIn && isOn('handover') && (
        <Place
          to="/trades"
          label={t('common_trades')}
          icon={Handshake}
          chosen={place === 'trades'}
          count={confirm}
          counted={t('app_trades_waiting', { label: t('common_trades'), count: confirm })}
        />
      )}
      {!signedIn && isOn('items') && (
        <Place to="/items" label={t('common_items')} icon={Package} chosen={place === 'items'} />
      )}
      {offered && <Place to="/offer" label={t('app_bar_offers')} icon={Send} chosen={place === 'offer'} />}
    </nav>
  )
}

const quiet = 'bg-secondary text-secondary-foreground'
const solid = 'bg-primary text-primary-foreground'

type PlaceProps = {
  to: string
  label: string
  icon: LucideIcon
  chosen: boolean
  count?: number
  /** The label with the count, for screen readers. */
  counted?: string
  /** The colours of the count; those of what waits for the user's word, if left out. */
  tone?: string
}

function Place({ to, label, icon: Icon, chosen, count = 0, counted, tone = solid }: PlaceProps) {
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
              tone,
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
