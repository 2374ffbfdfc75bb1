import { lazy } from 'react'
import { useLocation, useMatch, useParams } from 'react-router'
import { isOn } from '@/lib/site'
import NotFoundPage from './NotFoundPage'

const PostListPage = lazy(() => import('./PostListPage'))
const SlipPage = lazy(() => import('./SlipPage'))
const TraderPage = lazy(() => import('./TraderPage'))
const TradesPage = lazy(() => import('./TradesPage'))
const PostedListPage = lazy(() => import('./PostedListPage'))

/** The pages that the first load knows nothing of. */
export default function OtherPage() {
  const { pathname } = useLocation()
  const { id } = useParams()
  const trades = useMatch('/trades')
  if (trades && isOn('handover')) return <TradesPage />
  const [, noun] = pathname.split('/')
  if (id === undefined) return <NotFoundPage />
  if (noun === 'lists' && isOn('lists')) return id === 'new' ? <PostListPage /> : <PostedListPage key={id} id={id} />
  if (noun === 'traders' && isOn('records')) return <TraderPage key={id} id={id} />
  if (noun === 'trades' && isOn('handover')) return <SlipPage key={id} partner={id} />
  return <NotFoundPage />
}
