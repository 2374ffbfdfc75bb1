import { type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { CoinDrawings } from '@/components/coins'
import { Toaster } from '@/components/toaster'
import { dialogAt } from '@/hooks/useDialogs'
import { useFirstUse } from '@/hooks/useFirstUse'
import { useMe } from '@/hooks/useMe'
import { ReadyOffers } from '@/hooks/useReady'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { DialogOpening } from './DialogOpening'
import { FailedParts } from './FailedParts'
import { Header } from './Header'
import { TabBar } from './TabBar'
import { useCommandKey } from './useCommandKey'
import { useScrollMemory } from './useScrollMemory'
import { useSession } from './useSession'

const BlockNotice = lazy(() => import('./BlockNotice'))
const Foot = lazy(() => import('./Foot'))
const LeavingScreen = lazy(() => import('./LeavingScreen'))
const DialogHost = lazy(() => import('./DialogHost'))
// Loaded as soon as the page is there.
const Live = lazy(() => import('./Live'))

/** The layout around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  useScrollMemory()
  useCommandKey()
  const { user } = useMe()
  const used = useFirstUse()
  const dialogs = useDialogsWanted(used)
  if (user?.deletionAt) {
    return (
      <>
        <Suspense>
          <LeavingScreen deletionAt={user.deletionAt} />
        </Suspense>
        <Toaster ready={used} />
      </>
    )
  }
  return (
    <>
      <CoinDrawings />
      <a
        href="#content"
        className="sr-only z-60 rounded-md bg-primary px-4 py-3 text-primary-foreground focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('app_skip')}
      </a>
      <Header />
      <TabBar />
      {user?.blockedFor && (
        <Suspense fallback={<i data-loading hidden />}>
          <BlockNotice reason={user.blockedFor} />
        </Suspense>
      )}
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-board px-4 pt-3 max-sm:pt-2 short:pt-2 pb-[calc(6rem+var(--bottom-bar))] outline-none sm:px-6"
      >
        <FailedParts>
          <ReadyOffers key={session}>{children}</ReadyOffers>
        </FailedParts>
      </main>
      <FailedParts>
        <Suspense>
          <Foot />
        </Suspense>
        <Suspense>
          <Live session={session} />
        </Suspense>
        {dialogs && (
          <Suspense fallback={<DialogOpening />}>
            <DialogHost key={session} ahead={used} />
          </Suspense>
        )}
      </FailedParts>
      <Toaster ready={used} />
    </>
  )
}

/** Whether a dialog was asked for, or may be soon. */
function useDialogsWanted(used: boolean): boolean {
  const { search } = useLocation()
  const [wanted, setWanted] = useState(false)
  if (!wanted && (used || dialogAt(search))) setWanted(true)
  return wanted
}
