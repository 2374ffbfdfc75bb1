import { ItemList } from '@/features/items/ItemList'
import { usePageTitle } from '@/hooks/usePageTitle'
import { PageHeading } from '../PageHeading'

/** The items that the game has. */
export function ItemsPage() {
  usePageTitle('Items')
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeading title="Items" line="What the game has, who makes it and who uses it" />
      <ItemList />
    </div>
  )
}
