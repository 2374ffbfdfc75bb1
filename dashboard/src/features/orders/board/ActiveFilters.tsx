import { X } from 'lucide-react'
import type { BrowseFilter } from '@/api/filter'
import type { Skill } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { Amount } from '@/components/coins'
import { skillWords } from '@/components/skill-words'
import { cleared } from '@/hooks/useBrowseFilter'
import { parseCopper } from '@/lib/copper'
import { type FilterTexts, filterTexts } from '@/lib/fields'
import { importanceNames } from '@/lib/market'
import { rich, t } from '@/lib/texts'

type Props = {
  filter: BrowseFilter
  /** Whether "For me" goes by the reader's stock. */
  fill: boolean | undefined
  forMe: { skills: readonly Skill[]; lacksSkills: boolean; openSkills: () => void }
  onChange: (changes: Partial<BrowseFilter>) => void
}

/** The active filters, each removed with one click, after what "For me" lacks. */
export function ActiveFilters(props: Props) {
  return (
    <>
      {props.forMe.lacksSkills && (
        <p role="status" className="flex min-h-9 flex-wrap items-center gap-x-2 rounded-md bg-muted px-3 py-1 text-sm">
          <span>{props.fill ? t('pages_for_me_fill') : t('pages_for_me_all')}</span>
          <LinkButton onClick={props.forMe.openSkills}>{t('pages_set_skills')}</LinkButton>
        </p>
      )}
      <Conditions {...props} />
    </>
  )
}

function Conditions({ filter, forMe: { skills, openSkills }, onChange }: Props) {
  const { importance = [], level, min, max, q } = filter
  const forMe = filter.for === 'me' && skills.length > 0
  const texts = filterTexts(filter).filter(({ text }) => text)
  const others = importance.length > 0 || level || min || max || q || texts.length > 0
  if (!others && !forMe) return null
  return (
    <ul aria-label={t('orders_active_filters')} className="flex flex-wrap items-center gap-2">
      {q && (
        <Condition label={t('orders_filter_search', { words: q })} onRemove={() => onChange({ q: undefined })}>
          {t('orders_quoted', { words: q })}
        </Condition>
      )}
      {forMe && (
        <li className="inline-flex min-w-0 items-center gap-1.5 text-sm">
          <span className="truncate text-muted-foreground">
            {t('orders_for_me_with', { skills: skillWords(skills) })}
          </span>
          <LinkButton className="touch px-1" onClick={openSkills}>
            {t('common_my_skills')}
          </LinkButton>
        </li>
      )}
      {importance.map((i) => (
        <Condition
          key={i}
          label={t('orders_filter_importance', { importance: i })}
          onRemove={() => onChange({ importance: importance.filter((other) => other !== i) })}
        >
          {importanceNames[i]}
        </Condition>
      ))}
      {level && (
        <Condition label={t('orders_filter_level', { level })} onRemove={() => onChange({ level: undefined })}>
          {t('orders_level', { level })}
        </Condition>
      )}
      {texts.map(({ option, label, text }) => (
        <Condition
          key={option}
          label={`${label} ${text}`}
          onRemove={() => onChange({ [option]: undefined } as FilterTexts)}
        >
          {label}: {text}
        </Condition>
      ))}
      {min && (
        <Condition label={t('orders_filter_at_least', { price: min })} onRemove={() => onChange({ min: undefined })}>
          {rich('orders_from_price', { price: <Amount value={parseCopper(min).copper ?? 0n} /> })}
        </Condition>
      )}
      {max && (
        <Condition label={t('orders_filter_at_most', { price: max })} onRemove={() => onChange({ max: undefined })}>
          {rich('orders_up_to_price', { price: <Amount value={parseCopper(max).copper ?? 0n} /> })}
        </Condition>
      )}
      {others && ( // its own switch ends *For me*
        <li>
          <LinkButton className="touch px-1" onClick={() => onChange(cleared)}>
            {t('orders_clear_all')}
          </LinkButton>
        </li>
      )}
    </ul>
  )
}

function Condition({ label, onRemove, children }: { label: string; onRemove: () => void; children: React.ReactNode }) {
  return (
    <li>
      <button
        type="button"
        aria-label={t('orders_remove_filter', { filter: label })}
        onClick={onRemove}
        className="touch inline-flex h-8 items-center gap-1.5 rounded-md bg-accent px-2.5 text-accent-foreground text-sm hover:line-through"
      >
        {children}
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  )
}
