import { useLocation } from 'react-router'
import { Skeleton } from '@/components/ui/skeleton'
import { PageHeading } from './PageHeading'

const titles: Record<string, string> = {
  '/mine': 'My Requests',
  '/completed': 'Completed',
  '/offers': 'My Offers',
  '/offers/received': 'Offers Received',
  '/inbox': 'Inbox',
  '/items': 'Items',
  '/moderation': 'Moderation',
}
const full = ['/mine', '/completed'] // the others are as wide as a text

/** Stands in for a page while its code loads: its heading, and rows of its content. */
export function PageFrame() {
  const { pathname } = useLocation()
  const title = titles[pathname]
  return (
    <div className={full.includes(pathname) ? undefined : 'mx-auto max-w-3xl'}>
      {title && <PageHeading title={title} line="" />}
      <PageRows />
    </div>
  )
}

export function PageRows() {
  return (
    <div role="status" aria-label="Loading" className="grid min-h-[60vh] content-start gap-3">
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </div>
  )
}
