import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import { ApiError } from '@/api/client'
import { DialogsProvider } from '@/hooks/useDialogs'
import { lazy } from '@/lib/loaded'
import { FailedParts } from './FailedParts'
import { PageFrame } from './PageFrame'
import BrowsePage from './pages/BrowsePage'
import { Shell } from './Shell'

const ItemsPages = lazy(() => import('./pages/ItemsPages'))
const OtherPage = lazy(() => import('./pages/OtherPage'))

/** The page of each address. All but the board are loaded when they are opened. The server knows the same addresses. */
export const pages = {
  '/': BrowsePage,
  '/mine': lazy(() => import('./pages/MinePage')),
  '/completed': lazy(() => import('./pages/CompletedPage')),
  '/requests/:id': lazy(() => import('./pages/RequestPage')),
  '/mine/offers': lazy(() => import('./pages/ReceivedOffersPage')),
  '/offer': OtherPage,
  '/offer/:token': lazy(() => import('./pages/OfferLinkPage')),
  '/selling': OtherPage,
  '/selling/offers': OtherPage,
  '/selling/saved': OtherPage,
  '/selling/stock': OtherPage,
  '/inbox': lazy(() => import('./pages/InboxPage')),
  '/items': ItemsPages,
  '/items/wanted': OtherPage,
  '/items/:id': ItemsPages,
  '/items/:id/:name': ItemsPages,
  '/moderation': lazy(() => import('./pages/ModerationPage')),
  '/operation': OtherPage,
  '/lists/:id': OtherPage,
  '/traders/:id': OtherPage,
  '/trades': OtherPage,
  '/trades/:id': OtherPage,
  '/trades/with/:id': OtherPage,
  '*': OtherPage,
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Changes arrive on the event stream, so data on the page needs no refetch until then.
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // A client error is final. Everything else is retried once before the error is shown.
        retry: (failures, error) => failures < 1 && !(error instanceof ApiError && error.isClientError),
        retryDelay: 400,
      },
      mutations: { retry: false },
    },
  })
}

type Props = {
  /** With what was loaded before the first render. */
  queryClient?: QueryClient
}

export function App({ queryClient: given }: Props) {
  const [queryClient] = useState(() => given ?? makeQueryClient())
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <DialogsProvider>
          <FailedParts>
            <Shell>
              <Suspense fallback={<PageFrame />}>
                <Routes>
                  {Object.entries(pages).map(([path, Page]) => (
                    <Route key={path} path={path} element={<Page />} />
                  ))}
                </Routes>
              </Suspense>
            </Shell>
          </FailedParts>
        </DialogsProvider>
      </BrowserRouter>
    </QueryClientProvider>
  )
}
