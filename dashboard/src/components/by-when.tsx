import { useId, useState } from 'react'
import { type Time, timeNames, timeOf, times } from '@/lib/byWhen'
import { cn } from '@/lib/cn'
import { rich, t } from '@/lib/texts'
import { Input } from './ui/input'

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
        <select
          id={id}
          className="h-10 rounded-md border border-input bg-card px-2.5 text-sm pointer-coarse:h-11"
          value={name}
          onChange={(e) => {
            const chosen = e.target.value as Time
            setName(chosen)
            onChange(timeOf(chosen, ''))
          }}
        >
          {times.map((time) => (
            <option key={time} value={time}>
              {time === '' ? standard : timeNames[time]}
            </option>
          ))}
        </select>
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
