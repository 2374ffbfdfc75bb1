import { Bell, BookmarkPlus, Pencil } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { describeSearch } from '@/api/savedSearch'
import { PageMenuContent } from '@/components/page-menu'
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { useDialogs } from '@/hooks/useDialogs'
import { type SavedSearch, useSearches } from '@/hooks/useSearches'
import { isOn } from '@/lib/site'

type Props = {
  onApply: (search: SavedSearch) => void
  /** The button that opens it. */
  children: ReactNode
}

/** The saved searches, to apply one. It is open when it mounts. */
export default function SearchesMenu({ onApply, children }: Props) {
  const { open } = useDialogs()
  const { searches, isPending } = useSearches(true)
  const [shown, setShown] = useState(true)
  // A dialog opens after the menu has returned the focus, so that closing it returns the focus too.
  const chosen = useRef<(() => void) | null>(null)
  const manage = () => {
    chosen.current = () => open({ name: 'searches' })
  }
  return (
    <DropdownMenu modal={false} open={shown} onOpenChange={setShown}>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <PageMenuContent
        className="max-w-80"
        onCloseAutoFocus={() => {
          const next = chosen.current
          chosen.current = null
          if (next) setTimeout(next)
        }}
      >
        {searches.length === 0 && (
          <DropdownMenuLabel className="font-normal text-muted-foreground">
            {isPending ? 'Loading…' : 'No saved searches yet'}
          </DropdownMenuLabel>
        )}
        {searches.map((search) => (
          <DropdownMenuItem key={search.id} onSelect={() => onApply(search)}>
            <span className="min-w-0">
              <span dir="auto" className="block truncate">
                {search.name}
              </span>
              <span className="block truncate text-muted-foreground text-xs">{describeSearch(search)}</span>
            </span>
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={manage}>
          <BookmarkPlus /> Save This Search
        </DropdownMenuItem>
        {isOn('watches') && (
          <DropdownMenuItem
            onSelect={() => {
              chosen.current = () => open({ name: 'watches' })
            }}
          >
            <Bell /> Watch This Search
          </DropdownMenuItem>
        )}
        {searches.length > 0 && (
          <DropdownMenuItem onSelect={manage}>
            <Pencil /> Rename or Delete
          </DropdownMenuItem>
        )}
      </PageMenuContent>
    </DropdownMenu>
  )
}
