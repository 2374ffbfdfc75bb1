import { Moon, Plus, Sun } from 'lucide-react'
import { Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { DiscordMark } from '@/components/discord-mark'
import { Button } from '@/components/ui/button'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { usePhone } from '@/hooks/usePhone'
import { useRovingFocus } from '@/hooks/useRovingFocus'
import { cn } from '@/lib/cn'
import { site } from '@/lib/site'
import { t } from '@/lib/texts'
import { currentTheme, followSystem, saveTheme, subscribeTheme } from '@/lib/theme'
import { Logo } from './Logo'
import { Account, Tabs } from './ownBarLater'
import { usePlace } from './places'
import { useBottomBar, useWide } from './TabBar'
import { VisitorTabs } from './Tabs'

const tabs = 'flex gap-1 self-stretch mr-auto ml-2 lg:ml-6'

export function Header() {
  const { user, signedIn } = usePlace()
  const { open } = useDialogs()
  const board = useBoardAddress()
  const bar = useRef<HTMLDivElement>(null)
  const roving = useRovingFocus(bar)
  const bottomBar = useBottomBar() // it has Post Request
  const phone = usePhone()
  const wide = useWide()
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
          className={cn('flex min-w-0 items-center gap-2.5 rounded-md', (phone || (signedIn && !wide)) && 'mr-auto')}
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
        {signedIn
          ? wide && (
              <Suspense>
                <Tabs inHeader className={tabs} />
              </Suspense>
            )
          : !phone && <VisitorTabs className={tabs} />}
        <ThemeToggle />
        {user ? (
          <Suspense fallback={<span className="w-21 xl:w-80" />}>
            <Account user={user} />
          </Suspense>
        ) : (
          <Button
            variant="outline"
            className={cn('max-sm:px-2.5', signedIn && 'invisible')}
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
            onClick={() => open(signedIn ? { name: 'post' } : { name: 'sign-in', mode: 'sign-up', next: 'post' })}
          >
            <Plus className="max-sm:size-5!" /> <span className="max-sm:sr-only">{t('common_post_request')}</span>
          </Button>
        )}
      </div>
    </header>
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
