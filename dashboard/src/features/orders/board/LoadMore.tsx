import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/texts'

type Props = { loadingMore: boolean; onMore: () => void }

/** Loads more before the user reaches the end; the button is for users who are faster. */
export function LoadMore({ loadingMore, onMore }: Props) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!mark.current || loadingMore) return
    const observer = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && onMore(), {
      rootMargin: '1200px 0px',
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [loadingMore, onMore])
  return (
    <div ref={mark} className="flex justify-center py-8">
      <Button variant="outline" onClick={onMore} disabled={loadingMore}>
        {loadingMore ? t('common_loading') : t('orders_load_more')}
      </Button>
    </div>
  )
}
