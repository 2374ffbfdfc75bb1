import { Ellipsis } from 'lucide-react'
import type { Listing } from '@/api/types'
import { lazyMenu } from '@/components/lazy-menu'
import { Button } from '@/components/ui/button'
import { useMe } from '@/hooks/useMe'
import { t } from '@/lib/texts'

const Actions = lazyMenu(() => import('./ListingActions'))

/** What others can do about a listing besides asking for it. Its seller changes it in their stock. */
export function ListingMenu({ listing }: { listing: Listing }) {
  const { user } = useMe()
  if (user?.id === listing.seller.id) return null
  return (
    <Actions
      listing={listing}
      button={(button) => (
        <Button
          variant="ghost"
          size="icon-sm"
          className="size-7 shrink-0"
          aria-label={t('listings_actions', { item: listing.itemName })}
          {...button}
        >
          <Ellipsis />
        </Button>
      )}
    />
  )
}
