import { useSearchParams } from 'react-router'
import type { BrowseFilter } from '@/api/filter'
import { searchOf } from '@/api/savedSearch'
import type { BoardView } from '@/lib/boardView'
import { isOn } from '@/lib/site'

/** What the board shows, with its side, as a search to save. */
export function useBoardSearch(filter: BrowseFilter, view: BoardView) {
  const at = useSearchParams()[0].get('side')
  const side = at === 'sale' || at === 'both' ? at : undefined // a part that is shared costs the first load
  return searchOf(filter, view, '', isOn('listings') ? side : undefined)
}
