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
import { formatDayAndTime, formatNumber } from '@/lib/format'
import { showToast } from '@/lib/toasts'

const failed = 'Failed to save. Please try again.'

/** What the buyer asks of sellers, and which offers are accepted as they come. */
export default function OrderTerms({ order, className }: { order: Order; className?: string }) {
  const { data } = useQuery(termsQuery(order.id))
  if (!data) return null
  return (
    <section aria-label="Who can sell to you" className={className}>
      <details className="rounded-lg border bg-card">
        <summary className="cursor-pointer rounded-lg px-4 py-3 font-medium pointer-coarse:min-h-11">
          Who can sell to you
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
      if (Object.keys(fields).length === 0) setNotice(messageFor(error, failed))
    } finally {
      setBusy(false)
    }
  }
  return { run, errors, notice, busy }
}

type Sellers = Standing['sellers']

const sellersNames: Record<Sellers, string> = {
  trusted: 'Trusted sellers',
  met: 'People you have met',
  anybody: 'Anybody',
}

const sellersOptions = Object.entries(sellersNames).map(([value, label]) => ({ value, label }))

type SellersProps = { label: string; value: Sellers; error?: string; onChange: (value: Sellers) => void }

/** Which sellers a buyer asks for. */
function SellersField({ label, value, error, onChange }: SellersProps) {
  return (
    <Field
      label={label}
      error={error}
      help={value === 'trusted' ? 'Others here know them from trades that both sides confirmed.' : undefined}
    >
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
    void run(body, (key) => putStanding(order.id, body, key), 'Offers are accepted automatically')
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
        <h2 className="text-base">Accept offers automatically</h2>
        <p className="text-muted-foreground text-sm">
          A new offer that fits as a whole is accepted at once. You get a message, and can undo it for ten minutes.
        </p>
      </div>
      {now ? (
        <>
          <p className="tabular text-sm">
            Taking up to{' '}
            {[
              now.fromPartners > 0 &&
                `${formatNumber(now.fromPartners)} from ${sellersNames[now.sellers].toLowerCase()} (${formatNumber(now.takenFromPartners)} taken)`,
              now.fromOthers > 0 &&
                `${formatNumber(now.fromOthers)} from ${now.fromPartners > 0 ? 'others' : 'all sellers'} (${formatNumber(now.takenFromOthers)} taken)`,
            ]
              .filter(Boolean)
              .join(' and ')}
            , until <time dateTime={now.until}>{formatDayAndTime(now.until)}</time>.
          </p>
          <div>
            <Button
              variant="outline"
              className="max-sm:h-11"
              disabled={busy}
              onClick={() => void run('end', (key) => endStanding(order.id, key), 'Offers wait for your answer again')}
            >
              End This
            </Button>
          </div>
        </>
      ) : (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <SellersField label="Whose offers" value={sellers} error={errors.sellers} onChange={setSellers} />
            {sellers !== 'anybody' && number('fromPartners', 'From these sellers', 'How many you take in all.')}
            {number(
              'fromOthers',
              sellers === 'anybody' ? 'From all sellers' : 'From everybody else',
              'How many you take in all; 0 for none.',
            )}
            <Field label="Until" error={errors.until}>
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
              {busy ? 'Saving...' : 'Accept Automatically'}
            </Button>
          </div>
        </>
      )}
      {notice && <Notice>{notice}</Notice>}
      <History standing={standing.filter((s) => !s.stands)} />
    </form>
  )
}

/** What was set before. */
function History({ standing }: { standing: Standing[] }) {
  if (standing.length === 0) return null
  return (
    <ul aria-label="Earlier" className="tabular grid gap-1 text-muted-foreground text-xs">
      {standing.map((s) => (
        <li key={s.setAt}>
          <time dateTime={s.setAt}>{formatDayAndTime(s.setAt)}</time> to{' '}
          <time dateTime={s.endedAt ?? s.until}>{formatDayAndTime(s.endedAt ?? s.until)}</time>: took{' '}
          {formatNumber(s.takenFromPartners + s.takenFromOthers)}
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
    void run(body, (key) => putLeastRecord(order.id, body, key), 'Saved')
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4 border-t pt-5">
      <div>
        <h2 className="text-base">Choose who can offer</h2>
        <p className="text-muted-foreground text-sm">
          {least ? 'Others are told what they can do. Offers that you have stay.' : 'Everybody can offer now.'}
        </p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <SellersField label="Who can offer" value={sellers} error={errors.sellers} onChange={setSellers} />
        <Field
          label={sellers === 'anybody' ? 'Each up to' : 'Others up to'}
          help={sellers === 'anybody' ? undefined : 'What others may offer; 0 for nothing.'}
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
          {busy ? 'Saving...' : 'Save'}
        </Button>
        {least && (
          <Button
            variant="ghost"
            className="max-sm:h-11"
            disabled={busy}
            onClick={() => void run('off', (key) => removeLeastRecord(order.id, key), 'Everybody can offer again')}
          >
            Let Everybody Offer
          </Button>
        )}
      </div>
    </form>
  )
}
