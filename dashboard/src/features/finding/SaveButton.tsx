import { Bell, BellRing, Bookmark, BookmarkCheck } from 'lucide-react'
import type { BrowseFilter } from '@/api/filter'
import { describeSearch, sameSearch, searchOf } from '@/api/savedSearch'
import type { Item, SavedDraft } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useMe } from '@/hooks/useMe'
import type { BoardView } from '@/lib/boardView'
import { t } from '@/lib/texts'
import { namedHere } from './savedWords'
import { useBoardSearch } from './useBoardSearch'
import { useSaving } from './useSaving'

/** Saves what the board shows. */
export function SaveBoard({ filter, view }: { filter: BrowseFilter; view: BoardView }) {
  return <SaveButton draft={useBoardSearch(filter, view)} label={t('finding_save_search')} small />
}

/** Saves a search for one item. A visitor's is for its name, as the board finds it. */
export function SaveItem({ item: { id, name } }: { item: Item }) {
  const { user } = useMe()
  const search = searchOf(user ? {} : { q: name }, 'cards', user ? '' : name)
  return <SaveButton draft={{ ...search, view: '', ...(user && { items: [id] }) }} label={t('finding_save')} />
}

type Props = {
  draft: Omit<SavedDraft, 'way'>
  label: string
  /** Beside the heading of the board; an icon where there is no room for words. */
  small?: boolean
}

/** One press saves, with a bell where there can be one; another removes it. Either can be undone. */
function SaveButton({ draft: given, label, small = false }: Props) {
  const { saved, rings, freeName, isPending, isError, save, unsave } = useSaving()
  const draft: SavedDraft = { way: 'direct', ...given }
  const bell = rings(draft)
  const known = saved.find((one) => sameSearch(one, draft))
  const waits = isPending && !isError
  const Icon = known ? (known.bell ? BellRing : BookmarkCheck) : bell ? Bell : Bookmark

  function press() {
    if (waits) return
    if (known) void unsave(known)
    else
      void save(
        bell && !namedHere(draft) ? draft : { ...draft, name: freeName(draft.name || describeSearch(draft)) },
        bell,
      )
  }

  return (
    <Button
      variant={small ? 'ghost' : 'outline'}
      className={small ? 'h-7 self-center px-2 text-primary max-sm:ml-auto' : 'pointer-coarse:h-11'}
      aria-label={known && t('finding_saved_remove', { name: known.name })}
      aria-disabled={waits}
      title={known ? t('finding_saved') : label}
      onClick={press}
    >
      <Icon aria-hidden />
      <span className={small ? 'max-[90rem]:sr-only' : undefined}>{known ? t('finding_saved') : label}</span>
    </Button>
  )
}
