import { X } from 'lucide-react'
import type { BrowseFilter } from '@/api/orders'
import { LinkButton } from '@/components/buttons'
import { Amount } from '@/components/coins'
import { cleared } from '@/hooks/useBrowseFilter'
import { parseCopper } from '@/lib/copper'

type Props = { filter: BrowseFilter; onChange: (changes: Partial<BrowseFilter>) => void }

/** The active filters, each removed with one click. */
export function ActiveFilters({ filter, onChange }: Props) {
  const { importance = [], level, min, max, q } = filter
  if (importance.length === 0 && !level && !min && !max && !q) return null
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {q && (
        <Condition name={`search ${q}`} onRemove={() => onChange({ q: undefined })}>
          “{q}”
        </Condition>
      )}
      {importance.map((i) => (
        <Condition
          key={i}
          name={`importance ${i}`}
          onRemove={() => onChange({ importance: importance.filter((other) => other !== i) })}
        >
          <span className="capitalize">{i}</span>
        </Condition>
      ))}
      {level && (
        <Condition name={`level ${level}`} onRemove={() => onChange({ level: undefined })}>
          Level {level}
        </Condition>
      )}
      {min && (
        <Condition name={`at least ${min}`} onRemove={() => onChange({ min: undefined })}>
          from <Amount value={parseCopper(min).copper ?? 0n} />
        </Condition>
      )}
      {max && (
        <Condition name={`at most ${max}`} onRemove={() => onChange({ max: undefined })}>
          up to <Amount value={parseCopper(max).copper ?? 0n} />
        </Condition>
      )}
      <li>
        <LinkButton className="touch px-1" onClick={() => onChange(cleared)}>
          Clear all
        </LinkButton>
      </li>
    </ul>
  )
}

function Condition({ name, onRemove, children }: { name: string; onRemove: () => void; children: React.ReactNode }) {
  return (
    <li>
      <button
        type="button"
        aria-label={`Remove filter: ${name}`}
        onClick={onRemove}
        className="touch inline-flex h-8 items-center gap-1.5 rounded-md bg-accent px-2.5 text-accent-foreground text-sm hover:line-through"
      >
        {children}
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  )
}
