import { useSearchParams } from 'react-router'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { type Side, sideAt } from '@/lib/side'
import { t } from '@/lib/texts'

const sides: { value: Side | undefined; label: string }[] = [
  { value: undefined, label: t('listings_wanted') },
  { value: 'sale', label: t('listings_for_sale') },
  { value: 'both', label: t('listings_both') },
]

/** Switches the board between requests, what is for sale, and both. */
export default function SideSwitch() {
  const [params, setParams] = useSearchParams()
  const chosen = sideAt(params)
  function choose(side: Side | undefined) {
    const next = new URLSearchParams(window.location.search)
    next.delete('side')
    if (side) next.set('side', side)
    setParams(next)
  }
  return (
    <fieldset className="flex shrink-0 gap-0.5 rounded-md bg-muted p-0.5 max-sm:w-full">
      <legend className="sr-only">{t('listings_sides')}</legend>
      {sides.map(({ value, label }) => (
        <Button
          key={label}
          variant="ghost"
          size="sm"
          aria-pressed={chosen === value}
          onClick={() => choose(value)}
          className={cn(
            'h-9 flex-1 rounded-sm px-2.5 hover:bg-transparent hover:text-foreground forced-colors:border pointer-coarse:h-11',
            chosen === value
              ? 'bg-card text-foreground shadow-card hover:bg-card dark:bg-accent dark:text-accent-foreground dark:hover:bg-accent forced-colors:border-[Highlight]'
              : 'text-muted-foreground forced-colors:border-transparent',
          )}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  )
}
