import { useState } from 'react'
import { Field } from '@/components/labelled-field'
import { formatDayAndTime } from '@/lib/format'
import { t } from '@/lib/texts'

type Props = { until: string | undefined; error: string | undefined; onUntil: (until: string | undefined) => void }

const days = [1, 3, 7, 14, 27]

/** Until when an item is for sale. A time that was chosen before stays among the choices. */
export function UntilField({ until, error, onUntil }: Props) {
  const [before] = useState(until)
  const [chosen, setChosen] = useState(until ? 'before' : '')
  function choose(value: string) {
    setChosen(value)
    if (value === 'before') onUntil(before)
    else onUntil(value ? new Date(Date.now() + Number(value) * 86_400_000).toISOString() : undefined)
  }
  return (
    <Field label={t('listings_until')} error={error}>
      {(field) => (
        <select
          {...field}
          value={chosen}
          onChange={(event) => choose(event.target.value)}
          className="h-9 w-full rounded-md border bg-card px-2 text-sm pointer-coarse:h-11"
        >
          <option value="">{t('listings_until_gone')}</option>
          {before && <option value="before">{t('listings_until_time', { time: formatDayAndTime(before) })}</option>}
          {days.map((count) => (
            <option key={count} value={count}>
              {t('listings_until_days', { count })}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
