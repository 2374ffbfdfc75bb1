import { Suspense } from 'react'
import { LinkButton } from '@/components/buttons'
import { useDialogs } from '@/hooks/useDialogs'
import { useMediaQuery } from '@/hooks/useMediaQuery'
import { usePhone } from '@/hooks/usePhone'
import { lazy } from '@/lib/loaded'
import { isOn, visitorsOffer } from '@/lib/site'
import { t } from '@/lib/texts'
import { Tabs, TodoStrip } from './ownBarLater'
import { usePlace } from './places'

const BottomBar = lazy(() => import('./BottomBar'))

/** Whether the header has room for the tabs of a user. */
export const useWide = () => useMediaQuery('(min-width: 112.5rem)')

/** Whether the bottom bar has the places: on a phone, unless a visitor has one place only. */
export function useBottomBar(): boolean {
  const { signedIn, offered } = usePlace()
  return usePhone() && (signedIn || offered || isOn('items'))
}

/** The bars between the header and a page: the tabs of a user where the header has no room for them, and for a visitor what
 * this is. On a phone the bottom bar has the places. */
export function TabBar() {
  const { signedIn, place, pathname, todo } = usePlace()
  const bottomBar = useBottomBar()
  const wide = useWide()
  return (
    <>
      {bottomBar && (
        <Suspense>
          <BottomBar />
        </Suspense>
      )}
      {signedIn
        ? !bottomBar &&
          !wide && (
            <div className="border-b">
              <Suspense fallback={<div data-loading className="h-11 short:h-10" />}>
                <Tabs className="mx-auto h-11 max-w-board gap-1 overflow-x-auto px-2 sm:px-4 short:h-10" />
              </Suspense>
            </div>
          )
        : place === 'browse' && <Pitch />}
      {todo.length > 0 && pathname === '/' && (
        <Suspense fallback={<div data-loading className="h-10.25 border-b bg-accent sm:h-9.75" />}>
          <TodoStrip todo={todo} />
        </Suspense>
      )}
    </>
  )
}

/** Says what this is, and invites to sign up. */
function Pitch() {
  const { open } = useDialogs()
  return (
    <aside aria-label={t('app_invitation')} className="border-b bg-accent text-accent-foreground text-sm">
      <div className="mx-auto flex min-h-9 max-w-board items-center gap-x-4 px-4 sm:px-6">
        <p className="font-semibold max-sm:py-1 max-sm:font-normal max-sm:text-xs max-sm:leading-4">
          {t('app_pitch')} {visitorsOffer() && t('app_no_account')}
        </p>
        <p className="ml-auto shrink-0 max-md:hidden">
          {t('app_looking')}{' '}
          <LinkButton onClick={() => open({ name: 'sign-in', mode: 'sign-up', next: 'post' })}>
            {t('app_sign_up')}
          </LinkButton>
        </p>
      </div>
    </aside>
  )
}
