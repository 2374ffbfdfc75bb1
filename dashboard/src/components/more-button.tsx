import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'
import { Button } from './ui/button'

type Pages = { hasNextPage?: boolean; isFetchingNextPage?: boolean; fetchNextPage?: () => unknown }

/** Loads the next page of a list, if there is one. */
export function MoreButton({ pages, className }: { pages: Pages; className?: string }) {
  if (!pages.hasNextPage) return null
  return (
    <Button
      variant="outline"
      className={cn('mx-auto mt-6 flex', className)}
      disabled={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage?.()}
    >
      {pages.isFetchingNextPage ? t('common_loading') : t('parts_load_more')}
    </Button>
  )
}
