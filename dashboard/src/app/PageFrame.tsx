import { useLocation } from 'react-router'
import { Skeleton } from '@/components/ui/skeleton'
import { t } from '@/lib/texts'

const full = ['/mine', '/mine/offers', '/completed'] // the others are as wide as a text

/** Stands in for a page while its code loads. */
export function PageFrame() {
  const { pathname } = useLocation()
  return (
    <div className={full.includes(pathname) ? undefined : 'mx-auto max-w-3xl'}>
      <Skeleton className="mb-5 h-12 w-64" />
      <PageRows />
    </div>
  )
}

export function PageRows() {
  return (
    <div data-loading role="status" aria-label={t('app_loading')} className="grid min-h-[60vh] content-start gap-3">
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </div>
  )
}
