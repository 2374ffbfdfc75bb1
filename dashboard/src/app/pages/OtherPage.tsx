import { lazy } from 'react'
import { useLocation } from 'react-router'
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
  const [, noun, id = '', partner = ''] = pathname.split('/')
  if (noun === 'lists' && isOn('lists')) return id === 'new' ? <PostListPage /> : <PostedListPage key={id} id={id} />
  if (noun === 'traders' && isOn('records')) return <TraderPage key={id} id={id} />
  if (noun === 'trades' && id === '' && isOn('handover')) return <TradesPage />
  if (noun === 'trades' && id === 'with' && isOn('handover')) return <SlipPage key={partner} partner={partner} />
  return <NotFoundPage />
}
