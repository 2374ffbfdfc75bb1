import { Bookmark } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/texts'
import type { ApplySearch } from './SearchesMenu'

const load = () => import('./SearchesMenu')
const Menu = lazy(load)

/** Loads the menu on the first click, or when the pointer or the focus reaches the button. */
export function SearchesMenu({ onApply }: { onApply: ApplySearch }) {
  const [wanted, setWanted] = useState(false)
  const prefetch = () => void load().catch(() => {})
  const button = (
    <SearchesButton aria-haspopup="menu" onPointerEnter={prefetch} onFocus={prefetch} onClick={() => setWanted(true)} />
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <Menu onApply={onApply}>
        <SearchesButton />
      </Menu>
    </Suspense>
  )
}

function SearchesButton(props: ComponentProps<typeof Button>) {
  return (
    <Button variant="outline" className="px-3 pointer-coarse:h-11" aria-label={t('finding_saved_searches')} {...props}>
      <Bookmark />
    </Button>
  )
}
