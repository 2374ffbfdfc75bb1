import { useLocation } from 'react-router'
import { Skeleton } from '@/components/ui/skeleton'
import { t } from '@/lib/texts'
import { PageHeading } from './PageHeading'

const titles: Record<string, string> = {
  '/mine': t('common_my_requests'),
  '/completed': t('common_completed'),
  '/inbox': t('common_inbox'),
  '/items': t('common_items'),
  '/moderation': t('common_moderation'),
}
const full = ['/mine', '/mine/offers', '/completed'] // the others are as wide as a text

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
    <div role="status" aria-label={t('app_loading')} className="grid min-h-[60vh] content-start gap-3">
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </div>
  )
}
