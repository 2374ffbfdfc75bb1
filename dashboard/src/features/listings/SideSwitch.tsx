import { ArrowLeftRight } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { LazyChoice } from '@/components/lazy-choice'
import { Button } from '@/components/ui/button'
import { useMediaQuery } from '@/hooks/useMediaQuery'
import { cn } from '@/lib/cn'
import { type Side, sideAt } from '@/lib/side'
import { t } from '@/lib/texts'

const wanted = 'wanted'

const sides: { value: Side | undefined; label: string }[] = [
  { value: undefined, label: t('listings_wanted') },
  { value: 'sale', label: t('listings_for_sale') },
  { value: 'both', label: t('listings_both') },
]

/** Switches the board between requests, listings, and both. */
export default function SideSwitch() {
  const [params, setParams] = useSearchParams()
  const chosen = sideAt(params)
  const roomy = useMediaQuery('(min-width: 40rem)')
  function choose(side: Side | undefined) {
    const next = new URLSearchParams(window.location.search)
    next.delete('side')
    if (side) next.set('side', side)
    setParams(next)
  }
  // On a phone the professions reach beyond their place, to the edge of the page: the margin is theirs.
  if (!roomy)
    return (
      <LazyChoice
        aria-label={t('listings_sides')}
        icon={<ArrowLeftRight aria-hidden className="size-4 text-foreground" />}
        className="ml-4 w-11 shrink-0 justify-center gap-0 px-0"
        value={chosen ?? wanted}
        options={sides.map(({ value = wanted, label }) => ({ value, label }))}
        onValue={(value) => choose(value === wanted ? undefined : (value as Side))}
      />
    )
  return (
    <fieldset className="-my-1 flex shrink-0 gap-0.5 rounded-md bg-muted p-0.5">
      <legend className="sr-only">{t('listings_sides')}</legend>
      {sides.map(({ value, label }) => (
        <Button
          key={label}
          variant="ghost"
          size="sm"
          aria-pressed={chosen === value}
          onClick={() => choose(value)}
          className={cn(
            'h-8 flex-1 rounded-sm px-2.5 hover:bg-transparent hover:text-foreground forced-colors:border pointer-coarse:h-11',
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
