import { ItemList } from '@/features/items/ItemList'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { ItemsTabs } from '../PlaceTabs'

/** The items that the game has, the most wanted first. */
export function ItemsPage() {
  usePageTitle(t('common_items'))
  return (
    <div className="mx-auto max-w-5xl">
      <ItemsTabs chosen="/items" />
      <PageHeading title={t('common_items')} line={t('pages_items_line')} />
      <ItemList />
    </div>
  )
}
