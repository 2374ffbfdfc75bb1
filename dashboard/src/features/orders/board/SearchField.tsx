import { Search, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useTyped } from '@/hooks/useTyped'
import { isShortcut } from '@/lib/keyboard'
import { limits } from '@/lib/market'
import { t } from '@/lib/texts'

type Props = { value: string; onSearch: (text: string) => void }

/** Searches items, descriptions, buyers and professions. "/" focuses it from anywhere, Escape clears it. */
export function SearchField({ value, onSearch }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(value, onSearch)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isShortcut(event)) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <search className="relative min-w-0 flex-1">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
      <Input
        ref={field}
        type="search"
        aria-label={t('orders_search')}
        aria-keyshortcuts="/"
        placeholder={t('orders_search_placeholder')}
        enterKeyHint="search"
        maxLength={limits.itemName}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped('')
          if (event.key === 'Enter') field.current?.blur()
        }}
        className="h-10 text-ellipsis pr-10 pl-9 pointer-coarse:h-11 [&::-webkit-search-cancel-button]:hidden"
      />
      {typed ? (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('orders_clear_search')}
          className="absolute top-1/2 right-1.5 -translate-y-1/2"
          onClick={() => {
            setTyped('')
            field.current?.focus()
          }}
        >
          <X />
        </Button>
      ) : (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-3 hidden -translate-y-1/2 rounded-sm border px-1.5 font-sans text-muted-foreground text-xs md:block"
        >
          /
        </span>
      )}
    </search>
  )
}
