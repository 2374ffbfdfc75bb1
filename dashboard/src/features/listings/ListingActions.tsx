import { Ban, Flag, ShieldX } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import type { Listing } from '@/api/types'
import { PageMenu } from '@/components/page-menu'
import { DropdownMenuItem, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { useMe } from '@/hooks/useMe'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import type { ListingAct } from './ListingDialog'

const ListingDialog = lazy(() => import('./ListingDialog'))

type Props = {
  listing: Listing
  /** The button that opens it. */
  children: ReactNode
}

/** Reports a listing, and what moderators do about one. It is open when it mounts. */
export default function ListingActions({ listing, children }: Props) {
  const { user } = useMe()
  const [act, setAct] = useState<ListingAct | null>(null)
  return (
    <>
      <PageMenu button={children} opened>
        {(choose) => (
          <>
            <DropdownMenuItem onSelect={choose(() => setAct('report'))}>
              <Flag /> {t('orders_report')}
            </DropdownMenuItem>
            {user?.moderator && (
              <>
                <DropdownMenuSeparator />
                <DropdownMenuItem variant="destructive" onSelect={choose(() => setAct('remove'))}>
                  <ShieldX /> {t('moderation_remove_listing_open')}
                </DropdownMenuItem>
                <DropdownMenuItem variant="destructive" onSelect={choose(() => setAct('block'))}>
                  <Ban /> {t('listings_block_seller')}
                </DropdownMenuItem>
              </>
            )}
          </>
        )}
      </PageMenu>
      {act && (
        <Suspense>
          <ListingDialog listing={listing} act={act} onClosed={() => setAct(null)} />
        </Suspense>
      )}
    </>
  )
}
