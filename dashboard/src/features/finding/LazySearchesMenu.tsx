import { Bookmark } from 'lucide-react'
import type { BrowseFilter } from '@/api/filter'
import { lazyMenu, type MenuButtonProps } from '@/components/lazy-menu'
import { Button } from '@/components/ui/button'
import type { BoardView } from '@/lib/boardView'
import { t } from '@/lib/texts'
import type { ApplySearch } from './SearchesMenu'

const Menu = lazyMenu(() => import('./SearchesMenu'))

export function SearchesMenu(props: { filter: BrowseFilter; view: BoardView; onApply: ApplySearch }) {
  return <Menu {...props} button={(button) => <SearchesButton {...button} />} />
}

function SearchesButton(props: MenuButtonProps) {
  return (
    <Button variant="outline" className="px-3 pointer-coarse:h-11" aria-label={t('finding_saved_searches')} {...props}>
      <Bookmark />
    </Button>
  )
}
