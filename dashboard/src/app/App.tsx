import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import { ApiError } from '@/api/client'
import { DialogsProvider } from '@/hooks/useDialogs'
import BrowsePage from './pages/BrowsePage'
import { Shell } from './Shell'

const MinePage = lazy(() => import('./pages/MinePage'))
const CompletedPage = lazy(() => import('./pages/CompletedPage'))
const RequestPage = lazy(() => import('./pages/RequestPage'))
const ReceivedOffersPage = lazy(() => import('./pages/ReceivedOffersPage'))
const SentOffersPage = lazy(() => import('./pages/SentOffersPage'))
const OfferLinkPage = lazy(() => import('./pages/OfferLinkPage'))
const InboxPage = lazy(() => import('./pages/InboxPage'))
const ModerationPage = lazy(() => import('./pages/ModerationPage'))
const NotFoundPage = lazy(() => import('./pages/NotFoundPage'))

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
          <Shell>
            <Suspense fallback={<div className="min-h-[70vh]" />}>
              <Routes>
                <Route path="/" element={<BrowsePage />} />
                <Route path="/mine" element={<MinePage />} />
                <Route path="/completed" element={<CompletedPage />} />
                <Route path="/requests/:id" element={<RequestPage />} />
                <Route path="/offers" element={<SentOffersPage />} />
                <Route path="/offers/received" element={<ReceivedOffersPage />} />
                <Route path="/offer/:token" element={<OfferLinkPage />} />
                <Route path="/inbox" element={<InboxPage />} />
                <Route path="/moderation" element={<ModerationPage />} />
                <Route path="*" element={<NotFoundPage />} />
              </Routes>
            </Suspense>
          </Shell>
        </DialogsProvider>
      </BrowserRouter>
    </QueryClientProvider>
  )
}
