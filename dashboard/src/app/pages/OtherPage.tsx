import { Navigate, useLocation, useParams } from 'react-router'
import { lazy } from '@/lib/loaded'
import { isOn } from '@/lib/site'
import NotFoundPage from './NotFoundPage'

const PostListPage = lazy(() => import('./PostListPage'))
const SlipPage = lazy(() => import('./SlipPage'))
const TraderPage = lazy(() => import('./TraderPage'))
const TradePage = lazy(() => import('./TradePage'))
const TradesPage = lazy(() => import('./TradesPage'))
const OperationPage = lazy(() => import('./OperationPage'))
const PostedListPage = lazy(() => import('./PostedListPage'))

const DeviceOffersPage = lazy(() => import('./DeviceOffersPage'))
const ForMePage = lazy(async () => ({ default: (await import('./SellingPage')).ForMePage }))
const StockPage = lazy(async () => ({ default: (await import('./SellingPage')).StockPage }))
const SavedPage = lazy(() => import('./SavedPage'))
const SentOffersPage = lazy(() => import('./SentOffersPage'))
const WantedPage = lazy(() => import('./WantedPage'))

/** Addresses of older programs, and where they lead. The server redirects; a page that was open meanwhile does so here. */
const moved: Record<string, string> = {
  '/offers': '/selling/offers',
  '/offers/received': '/mine/offers',
  '/saved': '/selling/saved',
  '/searches': '/selling/saved',
  '/stock': '/selling/stock',
  '/wanted': '/items/wanted',
  '/watches': '/selling/saved',
}

/** The pages that the first load knows nothing of. */
export default function OtherPage() {
  const { pathname, search } = useLocation()
  const { id } = useParams()
  const to = moved[pathname]
  if (to) return <Navigate replace to={to + search} />
  if (pathname === '/offer') return <DeviceOffersPage />
  if (pathname === '/selling/offers') return <SentOffersPage />
  if (pathname === '/selling' && isOn('stock')) return <ForMePage />
  if (pathname === '/selling/saved') return <SavedPage />
  if (pathname === '/selling/stock' && isOn('stock')) return <StockPage />
  if (pathname === '/items/wanted') return <WantedPage />
  if (pathname === '/operation') return <OperationPage />
  if (pathname === '/trades' && isOn('handover')) return <TradesPage />
  const [, noun, part] = pathname.split('/')
  if (id === undefined) return <NotFoundPage />
  if (noun === 'lists' && isOn('lists')) return id === 'new' ? <PostListPage /> : <PostedListPage key={id} id={id} />
  if (noun === 'traders' && isOn('records')) return <TraderPage key={id} id={id} />
  if (noun === 'trades' && isOn('handover'))
    return part === 'with' ? <SlipPage key={id} partner={id} /> : <TradePage key={id} id={id} />
  return <NotFoundPage />
}
