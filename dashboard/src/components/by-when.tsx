import { useId, useState } from 'react'
import { type Time, timeNames, timeOf, times } from '@/lib/byWhen'
import { cn } from '@/lib/cn'
import { rich, t } from '@/lib/texts'
import Choice from './choice'
import { Input } from './ui/input'

const usual = 'usual' // a choice has to have a value

type Props = {
  label: string
  /** What counts when nothing is chosen. */
  standard: string
  /** What it is about, for screen readers. */
  what: string
  wide?: boolean
  onChange: (time: string | undefined) => void
}

/** Asks for a time: a few words, or a date. */
export function ByWhen({ label, standard, what, wide, onChange }: Props) {
  const [name, setName] = useState<Time>('')
  const id = useId()
  return (
    <div className={cn('grid gap-1', !wide && 'w-auto')}>
      <label htmlFor={id} className={wide ? 'font-medium text-sm' : 'text-muted-foreground text-sm'}>
        {rich('parts_by_when', { label, what, hidden: (text) => <span className="sr-only">{text}</span> })}
      </label>
      <div className="flex flex-wrap gap-2">
        <Choice
          id={id}
          value={name || usual}
          options={times.map((time) => ({ value: time || usual, label: time === '' ? standard : timeNames[time] }))}
          onValue={(value) => {
            const chosen = value === usual ? '' : (value as Time)
            setName(chosen)
            onChange(timeOf(chosen, ''))
          }}
        />
        {name === 'date' && (
          <Input
            type="date"
            aria-label={t('parts_by_when_date', { label })}
            className="h-10 w-40 pointer-coarse:h-11"
            onChange={(e) => onChange(timeOf('date', e.target.value))}
          />
        )}
      </div>
    </div>
  )
}
