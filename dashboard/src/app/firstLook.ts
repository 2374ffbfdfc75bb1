import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '@/api/me'
import { browseQuery, countsQuery } from '@/api/orders'
import { listFilterOf, loadView } from '@/features/orders/board/Board'
import { filterAt, isWholeBoard } from '@/hooks/useBrowseFilter'
import { wasSignedIn } from '@/hooks/useMe'
import { viewAt } from '@/lib/boardView'
import { wasForMe } from '@/lib/finding'
import { Account, Tabs, TodoStrip } from './ownBarLater'

const patience = 4_000 // ms; then the page shows itself that it is loading

/** Loads what the server has drawn into the document, so that the first render shows the same. The document names it ahead,
 * so it is here already, or about to be. */
export async function loadFirstLook(root: HTMLElement, queryClient: QueryClient) {
  if (!root.querySelector('[data-first-look]')) return
  const params = new URLSearchParams(location.search)
  const filter = filterAt(params)
  const view = viewAt(params)
  if (Object.keys(filter).length === 0 && wasForMe()) {
    // This browser's board is another one, which theme.js knows too: what the server drew is hidden.
    params.set('for', 'me')
    history.replaceState(history.state, '', `?${params}`)
    return
  }
  const loaded = Promise.all([
    queryClient.prefetchQuery(meQuery), // whose requests are the user's own
    queryClient.prefetchInfiniteQuery(browseQuery(listFilterOf(filter, view))),
    isWholeBoard(filter) && queryClient.prefetchQuery(countsQuery),
    loadView(view).catch(() => {}),
    wasSignedIn() && Promise.all([Account, Tabs, TodoStrip].map(({ load }) => load())).catch(() => {}),
  ])
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, patience))])
}
