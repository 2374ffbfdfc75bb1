import { Fragment, lazy, type ReactNode, Suspense } from 'react'
import { CoinDrawings } from '@/components/coins'
import { Toaster } from '@/components/toaster'
import { useMe } from '@/hooks/useMe'
import { metaContent, site } from '@/lib/site'
import { t } from '@/lib/texts'
import { DialogOpening } from './DialogOpening'
import { Header } from './Header'
import { TabBar } from './TabBar'
import { useCommandKey } from './useCommandKey'
import { useScrollMemory } from './useScrollMemory'
import { useSession } from './useSession'

const BlockNotice = lazy(() => import('./BlockNotice'))
const LanguageChoice = lazy(() => import('./LanguageChoice'))
const LeavingScreen = lazy(() => import('./LeavingScreen'))
// Loaded as soon as the page is there.
const DialogHost = lazy(() => import('./DialogHost'))
const Live = lazy(() => import('./Live'))

/** The layout around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  useScrollMemory()
  useCommandKey()
  const { user } = useMe()
  const choice = metaContent('languages').includes(',')
  if (user?.deletionAt) {
    return (
      <>
        <Suspense>
          <LeavingScreen deletionAt={user.deletionAt} />
        </Suspense>
        <Toaster />
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
        <Suspense>
          <BlockNotice reason={user.blockedFor} />
        </Suspense>
      )}
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-board px-4 pt-3 max-sm:pt-2 short:pt-2 pb-[calc(6rem+var(--bottom-bar))] outline-none sm:px-6"
      >
        <Fragment key={session}>{children}</Fragment>
      </main>
      {(site.version || choice) && (
        <footer className="mx-auto -mt-20 flex w-full flex-wrap items-center gap-x-6 max-w-board px-4 pb-[calc(5rem+var(--bottom-bar))] text-muted-foreground text-xs sm:px-6">
          {site.version && <span>Tradepost {site.version}</span>}
          {choice && (
            <Suspense>
              <LanguageChoice />
            </Suspense>
          )}
        </footer>
      )}
      <Suspense>
        <Live session={session} />
      </Suspense>
      <Suspense fallback={<DialogOpening />}>
        <DialogHost key={session} />
      </Suspense>
      <Toaster />
    </>
  )
}
