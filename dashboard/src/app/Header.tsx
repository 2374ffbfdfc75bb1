import { Bell, LogOut, Moon, Plus, Sun } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Link, NavLink } from 'react-router'
import { DiscordMark } from '@/components/discord-mark'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { usePhone } from '@/hooks/usePhone'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { useSignOut } from '@/hooks/useSignOut'
import { cn } from '@/lib/cn'
import { commandKey, commandKeyName } from '@/lib/keyboard'
import { site } from '@/lib/site'
import { t } from '@/lib/texts'
import { currentTheme, followSystem, saveTheme, subscribeTheme } from '@/lib/theme'
import { AccountMenu } from './LazyAccountMenu'
import { Logo } from './Logo'

export function Header() {
  const { user, counts, likely } = useMe()
  const { open } = useDialogs()
  const signOutAndLeave = useSignOut()
  const board = useBoardAddress()
  const bar = useRef<HTMLDivElement>(null)
  const roving = useRovingFocus(bar)
  const bottomBar = usePhone() && (user !== null || likely) // it has the inbox and Post Request
  return (
    <header className="sticky short:static top-0 z-30 border-b bg-background">
      {/* One tab stop: the requests are what most users tab to. */}
      <div
        ref={bar}
        role="toolbar"
        aria-label={t('app_site')}
        {...roving}
        className="mx-auto flex h-14 short:h-12 max-w-board items-center gap-1 px-4 sm:gap-2 sm:px-6"
      >
        <Link
          to={board}
          onClick={() => window.scrollTo(0, 0)} // the board is shown already, perhaps
          className="mr-auto flex min-w-0 items-center gap-2.5 rounded-md"
          aria-label={t('app_all_requests', { site: site.name })}
        >
          <Logo className="size-9 shrink-0 max-[26rem]:hidden" />
          <span className="min-w-0">
            <span className="block truncate font-display text-lg leading-6">{site.name}</span>
            <span className="line-clamp-2 short:hidden text-balance text-muted-foreground text-xs max-sm:text-[0.75rem] max-sm:leading-3.5">
              {site.tagline}
            </span>
          </span>
        </Link>
        <Button
          variant="ghost"
          className="hidden px-2 pointer-fine:xl:inline-flex"
          aria-label={t('common_commands')}
          aria-keyshortcuts={commandKeyName}
          onClick={() => open({ name: 'commands' })}
        >
          <Kbd>{commandKey}</Kbd>
        </Button>
        <ThemeToggle />
        {user ? (
          <>
            {!bottomBar && <InboxLink unread={counts.unread} />}
            <AccountMenu user={user} onSignOut={signOutAndLeave} />
            <Button variant="ghost" className="hidden px-3 lg:inline-flex" onClick={signOutAndLeave}>
              <LogOut /> {t('common_sign_out')}
            </Button>
          </>
        ) : (
          <Button
            variant="outline"
            className={cn('max-sm:px-2.5', likely && 'invisible')}
            onClick={() => open({ name: 'sign-in' })}
          >
            <DiscordMark className="size-5 text-[#5865f2] max-sm:hidden dark:text-[#8b95f6]" />
            <span className="max-sm:hidden">{t('common_sign_in_with_discord')}</span>
            <span className="sm:hidden" aria-hidden="true">
              {t('app_sign_in')}
            </span>
            <span className="sr-only sm:hidden">{t('common_sign_in_with_discord')}</span>
          </Button>
        )}
        {!bottomBar && (
          <Button
            data-stop
            className="max-sm:size-11 max-sm:p-0"
            aria-label={t('common_post_request')}
            onClick={() => open(user || likely ? { name: 'post' } : { name: 'sign-in', mode: 'sign-up', next: 'post' })}
          >
            <Plus className="max-sm:size-5!" /> <span className="max-sm:sr-only">{t('common_post_request')}</span>
          </Button>
        )}
      </div>
    </header>
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

function ThemeToggle() {
  const theme = useSyncExternalStore(subscribeTheme, currentTheme)
  useEffect(() => followSystem(), [])
  const next = theme === 'dark' ? 'light' : 'dark'
  const Icon = theme === 'dark' ? Sun : Moon
  const label = theme === 'dark' ? t('app_to_light') : t('app_to_dark')
  return (
    <Button variant="ghost" size="icon" aria-label={label} title={label} onClick={() => saveTheme(next)}>
      <Icon />
    </Button>
  )
}
