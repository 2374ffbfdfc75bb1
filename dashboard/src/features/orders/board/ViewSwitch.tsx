import { LayoutGrid, List, type LucideIcon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import type { BoardView } from '@/lib/boardView'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'

type Props = { view: BoardView; onView: (view: BoardView) => void; onNear: () => void }

const views: { value: BoardView; label: string; icon: LucideIcon }[] = [
  { value: 'cards', label: t('orders_cards'), icon: LayoutGrid },
  { value: 'list', label: t('orders_list'), icon: List },
]

/** Switches the board between cards and a list. `onNear` says that the pointer or the focus has come near. */
export function ViewSwitch({ view, onView, onNear }: Props) {
  return (
    <fieldset
      onPointerEnter={onNear}
      onFocus={onNear}
      className="flex shrink-0 gap-0.5 rounded-md bg-muted p-0.5 pointer-coarse:max-sm:p-0"
    >
      <legend className="sr-only">{t('orders_view')}</legend>
      {views.map(({ value, label, icon: Icon }) => (
        <Button
          key={value}
          variant="ghost"
          size="sm"
          aria-pressed={view === value}
          onClick={() => onView(value)}
          className={cn(
            'h-9 gap-1.5 rounded-sm px-2.5 hover:bg-transparent hover:text-foreground forced-colors:border pointer-coarse:h-11',
            view === value
              ? 'bg-card text-foreground shadow-card hover:bg-card dark:bg-accent dark:text-accent-foreground dark:hover:bg-accent forced-colors:border-[Highlight]'
              : 'text-muted-foreground forced-colors:border-transparent',
          )}
        >
          <Icon aria-hidden />
          <span className="max-sm:sr-only">{label}</span>
        </Button>
      ))}
    </fieldset>
  )
}
