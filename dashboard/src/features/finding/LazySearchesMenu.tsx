import { Bookmark } from 'lucide-react'
import { lazyMenu, type MenuButtonProps } from '@/components/lazy-menu'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/texts'
import type { ApplySearch } from './SearchesMenu'

const Menu = lazyMenu(() => import('./SearchesMenu'))

export function SearchesMenu({ onApply }: { onApply: ApplySearch }) {
  return <Menu onApply={onApply} button={(button) => <SearchesButton {...button} />} />
}

function SearchesButton(props: MenuButtonProps) {
  return (
    <Button variant="outline" className="px-3 pointer-coarse:h-11" aria-label={t('finding_saved_searches')} {...props}>
      <Bookmark />
    </Button>
  )
}
