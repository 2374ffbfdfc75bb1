import { Bell, BookmarkPlus, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BrowseFilter } from '@/api/filter'
import { describeSearch, filterOf } from '@/api/savedSearch'
import { PageMenu } from '@/components/page-menu'
import { DropdownMenuItem, DropdownMenuLabel, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { useDialogs } from '@/hooks/useDialogs'
import { type SavedSearch, useSearches } from '@/hooks/useSearches'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'

export type ApplySearch = (filter: BrowseFilter, view: SavedSearch['view']) => void

type Props = {
  onApply: ApplySearch
  /** The button that opens it. */
  children: ReactNode
}

/** The saved searches, to apply one. It is open when it mounts. */
export default function SearchesMenu({ onApply, children }: Props) {
  const { open } = useDialogs()
  const { searches, isPending } = useSearches(true)
  const manage = () => open({ name: 'searches' })
  return (
    <PageMenu button={children} opened className="max-w-80">
      {(choose) => (
        <>
          {searches.length === 0 && (
            <DropdownMenuLabel className="font-normal text-muted-foreground">
              {isPending ? t('finding_loading') : t('finding_no_searches')}
            </DropdownMenuLabel>
          )}
          {searches.map((search) => (
            <DropdownMenuItem key={search.id} onSelect={() => onApply(filterOf(search), search.view)}>
              <span className="min-w-0">
                <span dir="auto" className="block truncate">
                  {search.name}
                </span>
                <span className="block truncate text-muted-foreground text-xs">{describeSearch(search)}</span>
              </span>
            </DropdownMenuItem>
          ))}
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={choose(manage)}>
            <BookmarkPlus /> {t('finding_save_search')}
          </DropdownMenuItem>
          {isOn('watches') && (
            <DropdownMenuItem onSelect={choose(() => open({ name: 'watches' }))}>
              <Bell /> {t('finding_watch_search')}
            </DropdownMenuItem>
          )}
          {searches.length > 0 && (
            <DropdownMenuItem onSelect={choose(manage)}>
              <Pencil /> {t('finding_manage')}
            </DropdownMenuItem>
          )}
        </>
      )}
    </PageMenu>
  )
}
