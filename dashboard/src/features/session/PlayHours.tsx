import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import { eraseHours, hoursQuery, learnHours, saveHours } from '@/api/hours'
import { ErrorPanel } from '@/components/error-panel'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { clockOf, days, inWeek, nameOf, type Preset, presets, toLocal, toUTC } from './weekHours'

const presetNames: Record<Preset, string> = {
  mornings: t('hours_mornings'),
  afternoons: t('hours_afternoons'),
  evenings: t('hours_evenings'),
  weekend_days: t('hours_weekend_days'),
  weekend_evenings: t('hours_weekend_evenings'),
  nights: t('hours_nights'),
}

/** When the user plays: said in a few presses or hour by hour, and erased. */
export default function PlayHours() {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const writes = useIdempotencyKey()
  const query = useQuery(hoursQuery)
  const { data, isError } = query
  const [draft, setDraft] = useState<ReadonlySet<number> | null>(null)
  const [byHour, setByHour] = useState(false)
  const learn = useId()
  const failed = (error: unknown) => showToast(messageFor(error, t('hours_failed')), 'error')
  const saving = useMutation({
    mutationFn: (hours: number[]) => saveHours(hours, writes.keyFor(['hours', hours])),
    onSuccess(saved) {
      writes.succeeded()
      queryClient.setQueryData(hoursQuery.queryKey, saved)
      setDraft(null)
      showToast(t('hours_saved'))
      heading.current?.focus() // the button is gone
    },
    onError: failed,
  })
  const learning = useMutation({
    mutationFn: (on: boolean) => learnHours(on, writes.keyFor(['learn', on])),
    onSuccess(saved) {
      writes.succeeded()
      queryClient.setQueryData(hoursQuery.queryKey, saved)
    },
    onError: failed,
  })
  const erasing = useMutation({
    mutationFn: () => eraseHours(writes.keyFor(['erase hours'])),
    async onSuccess() {
      writes.succeeded()
      setDraft(null)
      showToast(t('hours_erased'))
      await queryClient.invalidateQueries({ queryKey: hoursQuery.queryKey })
      heading.current?.focus()
    },
    onError: failed,
  })
  const busy = saving.isPending || learning.isPending || erasing.isPending
  const said = draft ?? new Set(data?.hours.map(toLocal))
  const learned = new Set(data?.learned.map(toLocal))

  function set(hours: number[], on: boolean) {
    const next = new Set(said)
    for (const hour of hours) {
      if (on) next.add(hour)
      else next.delete(hour)
    }
    setDraft(next)
  }

  return (
    <section aria-labelledby="play-hours" className="grid w-full gap-2">
      <h3 ref={heading} id="play-hours" tabIndex={-1} className="font-medium text-sm outline-none">
        {t('hours_title')}
      </h3>
      <p className="text-muted-foreground text-xs">{t('hours_about')}</p>
      {isError && <ErrorPanel text={t('hours_load_failed')} query={query} />}
      {!data && !isError && <Skeleton className="h-24 w-full" />}
      {data && (
        <>
          <div className="flex flex-wrap gap-2 max-sm:grid max-sm:grid-cols-2">
            {(Object.keys(presets) as Preset[]).map((preset) => {
              const on = presets[preset].every((hour) => said.has(hour))
              return (
                <Button
                  key={preset}
                  size="sm"
                  variant={on ? 'default' : 'outline'}
                  className="max-sm:h-auto max-sm:whitespace-normal max-sm:px-2 pointer-coarse:min-h-11"
                  aria-pressed={on}
                  onClick={() => set(presets[preset], !on)}
                >
                  {on && <Check aria-hidden />}
                  {presetNames[preset]}
                </Button>
              )
            })}
          </div>
          <Button
            size="sm"
            variant="ghost"
            className="-ml-3 justify-self-start pointer-coarse:h-11"
            aria-expanded={byHour}
            onClick={() => setByHour(!byHour)}
          >
            {t('hours_by_hour')}
            <ChevronDown aria-hidden className={cn(byHour && 'rotate-180')} />
          </Button>
          {byHour && <Grid said={said} learned={learned} onPress={(hour) => set([hour], !said.has(hour))} />}
          {byHour && learned.size > 0 && <p className="text-muted-foreground text-xs">{t('hours_learned_are_pale')}</p>}
          <label htmlFor={learn} className="flex items-start gap-2 text-sm pointer-coarse:min-h-11">
            <input
              id={learn}
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-primary"
              checked={data.learns === true}
              disabled={busy}
              onChange={(event) => learning.mutate(event.target.checked)}
            />
            <span>
              {t('hours_learn')}
              <span className="block text-muted-foreground text-xs">{t('hours_learn_about')}</span>
            </span>
          </label>
          {/* What is not saved yet stays in sight, under a long table too. */}
          <div className={cn('flex flex-wrap gap-2', draft && 'sticky -bottom-4 bg-popover py-2 pb-4')}>
            {draft && (
              <Button
                className="max-sm:h-11"
                disabled={busy}
                onClick={() => saving.mutate([...draft].map(toUTC).sort((a, b) => a - b))}
              >
                {t('common_save')}
              </Button>
            )}
            {data.hours.length + data.learned.length > 0 && (
              <Button variant="outline" className="max-sm:h-11" disabled={busy} onClick={() => erasing.mutate()}>
                {t('hours_erase')}
              </Button>
            )}
          </div>
        </>
      )}
    </section>
  )
}

type GridProps = {
  said: ReadonlySet<number>
  learned: ReadonlySet<number>
  onPress: (hour: number) => void
}

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -24, ArrowRight: 24 }

/** The week by hour. One tab stop; the arrow keys move in it. */
function Grid({ said, learned, onPress }: GridProps) {
  const [stop, setStop] = useState(18)
  const table = useRef<HTMLTableElement>(null)

  function move(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (stop + step + inWeek) % inWeek
    setStop(next)
    table.current?.querySelector<HTMLButtonElement>(`[data-hour="${next}"]`)?.focus()
  }

  return (
    <table ref={table} aria-label={t('hours_title')} className="w-full table-fixed text-xs" onKeyDown={move}>
      <thead>
        <tr>
          <td className="w-11" />
          {days.map((day) => (
            <th key={day} scope="col" className="pb-1 font-medium">
              {day}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: 24 }, (_, clock) => (
          <tr key={clockOf(clock)}>
            <th scope="row" className="tabular pr-1 text-right font-normal text-muted-foreground">
              {clockOf(clock)}
            </th>
            {days.map((day, i) => {
              const hour = i * 24 + clock
              const on = said.has(hour)
              return (
                <td key={day} className="p-px">
                  <button
                    type="button"
                    data-hour={hour}
                    tabIndex={hour === stop ? 0 : -1}
                    aria-pressed={on}
                    aria-label={learned.has(hour) ? t('hours_learned', { hour: nameOf(hour) }) : nameOf(hour)}
                    className={cn(
                      'block h-6 w-full rounded-sm border border-input pointer-coarse:h-11',
                      on ? 'border-primary bg-primary' : learned.has(hour) && 'border-primary bg-accent',
                    )}
                    onFocus={() => setStop(hour)}
                    onClick={() => onPress(hour)}
                  />
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
