import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { endStanding, putLeastRecord, putStanding, removeLeastRecord, type Standing, termsQuery } from '@/api/traders'
import type { Order } from '@/api/types'
import Choice from '@/components/choice'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDayAndTime } from '@/lib/format'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** What the buyer asks of sellers, and which offers are accepted as they come. */
export default function OrderTerms({ order, className }: { order: Order; className?: string }) {
  const { data } = useQuery(termsQuery(order.id))
  if (!data) return null
  return (
    <section aria-label={t('traders_who_can_sell')} className={className}>
      <details className="rounded-lg border bg-card">
        <summary className="cursor-pointer rounded-lg px-4 py-3 font-medium pointer-coarse:min-h-11">
          {t('traders_who_can_sell')}
        </summary>
        <div className="grid gap-6 px-4 pb-4">
          <StandingForm order={order} standing={data.standing} usual={data.usual} />
          <LeastForm key={data.leastRecord?.sellers ?? ''} order={order} least={data.leastRecord} usual={data.usual} />
        </div>
      </details>
    </section>
  )
}

/** Sends one of the forms, and shows what the server says beside the fields. */
function useTerms(order: Order) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [notice, setNotice] = useState('')
  const [busy, setBusy] = useState(false)
  async function run(content: unknown, send: (key: string) => Promise<unknown>, done: string) {
    setBusy(true)
    setErrors({})
    setNotice('')
    try {
      await send(writes.keyFor(content))
      writes.succeeded()
      showToast(done)
      await queryClient.invalidateQueries({ queryKey: termsQuery(order.id).queryKey })
    } catch (error) {
      const fields = (error instanceof ApiError && error.problem.errors) || {}
      setErrors(fields)
      if (Object.keys(fields).length === 0) setNotice(messageFor(error, t('common_save_failed')))
    } finally {
      setBusy(false)
    }
  }
  return { run, errors, notice, busy }
}

type Sellers = Standing['sellers']

const sellersNames: Record<Sellers, string> = {
  trusted: t('traders_sellers_trusted'),
  met: t('traders_sellers_met'),
  anybody: t('traders_sellers_anybody'),
}

const sellersOptions = Object.entries(sellersNames).map(([value, label]) => ({ value, label }))

type SellersProps = { label: string; value: Sellers; error?: string; onChange: (value: Sellers) => void }

/** Which sellers a buyer asks for. */
function SellersField({ label, value, error, onChange }: SellersProps) {
  return (
    <Field label={label} error={error} help={value === 'trusted' ? t('traders_sellers_trusted_help') : undefined}>
      {(field) => (
        <Choice
          {...field}
          className="w-full"
          options={sellersOptions}
          value={value}
          onValue={(chosen) => onChange(chosen as Sellers)}
        />
      )}
    </Field>
  )
}

/** The value of a datetime-local input. */
const localTime = (date: Date) =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)

function StandingForm({ order, standing, usual }: { order: Order; standing: Standing[]; usual: Sellers }) {
  const { run, errors, notice, busy } = useTerms(order)
  const now = standing.find((s) => s.stands)
  const left = order.quantity - order.sold
  const [values, setValues] = useState(() => ({
    fromPartners: String(left),
    fromOthers: String(usual === 'trusted' ? Math.floor(left / 10) : 0),
    until: localTime(new Date(Date.now() + 3 * 86_400_000)),
  }))
  const [sellers, setSellers] = useState(usual)
  const change = (part: Partial<typeof values>) => setValues((old) => ({ ...old, ...part }))

  function submit(event: FormEvent) {
    event.preventDefault()
    const until = new Date(values.until)
    const body = {
      sellers,
      fromPartners: sellers === 'anybody' ? 0 : Number(values.fromPartners),
      fromOthers: Number(values.fromOthers),
      until: Number.isNaN(until.getTime()) ? new Date(0).toISOString() : until.toISOString(),
    }
    void run(body, (key) => putStanding(order.id, body, key), t('traders_standing_set'))
  }

  const number = (name: 'fromPartners' | 'fromOthers', label: string, help: string) => (
    <Field label={label} help={help} error={errors[name]}>
      {(field) => (
        <Input
          {...field}
          type="number"
          inputMode="numeric"
          min={0}
          max={left}
          value={values[name]}
          onChange={(e) => change({ [name]: e.target.value })}
        />
      )}
    </Field>
  )

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <div>
        <h2 className="text-base">{t('traders_standing_title')}</h2>
        <p className="text-muted-foreground text-sm">
          {t('traders_standing_explained')} {isOn('crossing') && t('traders_standing_crosses')}
        </p>
      </div>
      {now ? (
        <>
          <p className="tabular text-sm">{takes(now)}</p>
          <div>
            <Button
              variant="outline"
              className="max-sm:h-11"
              disabled={busy}
              onClick={() => void run('end', (key) => endStanding(order.id, key), t('traders_standing_ended'))}
            >
              {t('traders_standing_end')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <SellersField
              label={t('traders_whose_offers')}
              value={sellers}
              error={errors.sellers}
              onChange={setSellers}
            />
            {sellers !== 'anybody' && number('fromPartners', t('traders_from_these'), t('traders_from_these_help'))}
            {number(
              'fromOthers',
              sellers === 'anybody' ? t('traders_from_all') : t('traders_from_others'),
              t('traders_from_others_help'),
            )}
            <Field label={t('traders_until')} error={errors.until}>
              {(field) => (
                <Input
                  {...field}
                  type="datetime-local"
                  value={values.until}
                  onChange={(e) => change({ until: e.target.value })}
                />
              )}
            </Field>
          </div>
          <div>
            <Button type="submit" className="max-sm:h-11" disabled={busy}>
              {busy ? t('common_saving') : t('traders_standing_accept')}
            </Button>
          </div>
        </>
      )}
      {notice && <Notice>{notice}</Notice>}
      <History standing={standing.filter((s) => !s.stands)} />
    </form>
  )
}

/** What is accepted now, and how much of it was taken. */
function takes(now: Standing) {
  const until = <time dateTime={now.until}>{formatDayAndTime(now.until)}</time>
  const partners = { sellers: now.sellers, partners: now.fromPartners, partnersTaken: now.takenFromPartners }
  const others = { others: now.fromOthers, othersTaken: now.takenFromOthers }
  if (now.fromPartners === 0) return rich('traders_standing_all', { ...others, until })
  if (now.fromOthers === 0) return rich('traders_standing_partners', { ...partners, until })
  return rich('traders_standing_both', { ...partners, ...others, until })
}

/** What was set before. */
function History({ standing }: { standing: Standing[] }) {
  if (standing.length === 0) return null
  return (
    <ul aria-label={t('traders_earlier')} className="tabular grid gap-1 text-muted-foreground text-xs">
      {standing.map((s) => (
        <li key={s.setAt}>
          {rich('traders_earlier_took', {
            from: <time dateTime={s.setAt}>{formatDayAndTime(s.setAt)}</time>,
            to: <time dateTime={s.endedAt ?? s.until}>{formatDayAndTime(s.endedAt ?? s.until)}</time>,
            count: s.takenFromPartners + s.takenFromOthers,
          })}
        </li>
      ))}
    </ul>
  )
}

type Least = { sellers?: Sellers; newUpTo: number }

function LeastForm({ order, least, usual }: { order: Order; least: Least | null; usual: Sellers }) {
  const { run, errors, notice, busy } = useTerms(order)
  const [sellers, setSellers] = useState(least?.sellers ?? usual)
  const [newUpTo, setNewUpTo] = useState(
    String(least?.newUpTo ?? (usual === 'trusted' ? Math.floor(order.quantity / 10) : 0)),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    const body = { sellers, newUpTo: Number(newUpTo) }
    void run(body, (key) => putLeastRecord(order.id, body, key), t('traders_saved'))
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4 border-t pt-5">
      <div>
        <h2 className="text-base">{t('traders_least_title')}</h2>
        <p className="text-muted-foreground text-sm">{least ? t('traders_least_set') : t('traders_least_unset')}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <SellersField label={t('traders_least_who')} value={sellers} error={errors.sellers} onChange={setSellers} />
        <Field
          label={sellers === 'anybody' ? t('traders_least_each') : t('traders_least_others')}
          help={sellers === 'anybody' ? undefined : t('traders_least_others_help')}
          error={errors.newUpTo}
        >
          {(field) => (
            <Input
              {...field}
              type="number"
              inputMode="numeric"
              min={0}
              max={order.quantity}
              value={newUpTo}
              onChange={(e) => setNewUpTo(e.target.value)}
            />
          )}
        </Field>
      </div>
      {notice && <Notice>{notice}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="outline" className="max-sm:h-11" disabled={busy}>
          {busy ? t('common_saving') : t('common_save')}
        </Button>
        {least && (
          <Button
            variant="ghost"
            className="max-sm:h-11"
            disabled={busy}
            onClick={() => void run('off', (key) => removeLeastRecord(order.id, key), t('traders_least_removed'))}
          >
            {t('traders_least_remove')}
          </Button>
        )}
      </div>
    </form>
  )
}
