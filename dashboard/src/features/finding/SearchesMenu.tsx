import { Bell, BookmarkPlus, List } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BrowseFilter } from '@/api/filter'
import { addressOf, describeSearch, filterOf, sameSearch } from '@/api/savedSearch'
import type { Saved } from '@/api/types'
import { PageMenu } from '@/components/page-menu'
import { DropdownMenuItem, DropdownMenuLabel, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { isWholeBoard } from '@/hooks/useBrowseFilter'
import { useDialogs } from '@/hooks/useDialogs'
import type { BoardView } from '@/lib/boardView'
import { t } from '@/lib/texts'
import { namedHere, wordsOf } from './savedWords'
import { useBoardSearch } from './useBoardSearch'
import { useSaving } from './useSaving'

export type ApplySearch = (filter: BrowseFilter, view: Saved['view']) => void

type Props = {
  filter: BrowseFilter
  view: BoardView
  onApply: ApplySearch
  /** The button that opens it. */
  children: ReactNode
}

/** The saved searches, to apply one, or to save what the board shows. It is open when it mounts. */
export default function SearchesMenu({ filter, view, onApply, children }: Props) {
  const { go } = useDialogs()
  const { saved, isPending, rings, freeName, save } = useSaving()
  const shown = { ...useBoardSearch(filter, view), way: 'direct' as const }
  const bell = rings(shown)
  const savable =
    (filter.category !== undefined || !isWholeBoard(filter)) && !saved.some((search) => sameSearch(search, shown))
  return (
    <PageMenu button={children} opened className="max-w-80">
      {(choose) => (
        <>
          {saved.length === 0 && (
            <DropdownMenuLabel className="font-normal text-muted-foreground">
              {isPending ? t('finding_loading') : t('finding_no_searches')}
            </DropdownMenuLabel>
          )}
          {saved.map((search) => (
            <DropdownMenuItem
              key={`${search.watch} ${search.id}`}
              onSelect={() =>
                search.items.length > 0 || search.kind || search.side
                  ? go(addressOf(search))
                  : onApply(filterOf(search), search.view)
              }
            >
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate">
                  {search.name}
                </span>
                {wordsOf(search) !== search.name && (
                  <span className="block truncate text-muted-foreground text-xs">{wordsOf(search)}</span>
                )}
              </span>
              {search.bell && <Bell role="img" aria-label={t('finding_bell_on')} />}
            </DropdownMenuItem>
          ))}
          <DropdownMenuSeparator />
          {savable && (
            <DropdownMenuItem
              onSelect={choose(
                () =>
                  void save(
                    bell && !namedHere(shown) ? shown : { ...shown, name: freeName(describeSearch(shown)) },
                    bell,
                  ),
              )}
            >
              <BookmarkPlus /> {t('finding_save_search')}
            </DropdownMenuItem>
          )}
          <DropdownMenuItem onSelect={choose(() => go('/selling/saved'))}>
            <List /> {t('finding_all_saved')}
          </DropdownMenuItem>
        </>
      )}
    </PageMenu>
  )
}
