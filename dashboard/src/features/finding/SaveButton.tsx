import { Bell, BellRing, Bookmark, BookmarkCheck } from 'lucide-react'
import type { BrowseFilter } from '@/api/filter'
import { describeSearch, sameSearch, searchOf } from '@/api/savedSearch'
import type { Item, SavedDraft } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useMe } from '@/hooks/useMe'
import type { BoardView } from '@/lib/boardView'
import { t } from '@/lib/texts'
import { useSaving } from './useSaving'

/** Saves what the board shows. */
export function SaveBoard({ filter, view }: { filter: BrowseFilter; view: BoardView }) {
  return (
    <SaveButton draft={searchOf(filter, view, '')} label={t('finding_save_search')} className="h-7 px-2 text-primary" />
  )
}

/** Saves a search for one item. A visitor's is for its name, as the board finds it. */
export function SaveItem({ item: { id, name } }: { item: Item }) {
  const { user } = useMe()
  const search = searchOf(user ? {} : { q: name }, 'cards', user ? '' : name)
  return (
    <SaveButton
      draft={{ ...search, view: '', ...(user && { items: [id] }) }}
      label={t('finding_save')}
      variant="outline"
      className="pointer-coarse:h-11"
    />
  )
}

type Props = {
  draft: Omit<SavedDraft, 'way'>
  label: string
  variant?: 'ghost' | 'outline'
  className: string
}

/** One press saves, with a bell where there can be one; another removes it. Either can be undone. */
function SaveButton({ draft: given, label, variant = 'ghost', className }: Props) {
  const { saved, rings, freeName, isPending, isError, save, unsave } = useSaving()
  const draft: SavedDraft = { way: 'direct', ...given }
  const bell = rings(draft)
  const known = saved.find((one) => sameSearch(one, draft))
  const waits = isPending && !isError
  const Icon = known ? (known.bell ? BellRing : BookmarkCheck) : bell ? Bell : Bookmark

  function press() {
    if (waits) return
    if (known) void unsave(known)
    else void save(bell ? draft : { ...draft, name: freeName(draft.name || describeSearch(draft)) }, bell)
  }

  return (
    <Button
      variant={variant}
      className={className}
      aria-label={known && t('finding_saved_remove', { name: known.name })}
      aria-disabled={waits}
      onClick={press}
    >
      <Icon aria-hidden /> {known ? t('finding_saved') : label}
    </Button>
  )
}
