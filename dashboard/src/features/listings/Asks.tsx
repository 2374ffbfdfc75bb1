import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import { answerAsk, listingsChanged, ownListingsQuery } from '@/api/listings'
import type { Ask } from '@/api/types'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { Notice } from '@/components/notice'
import { QuantityInput } from '@/components/quantity-input'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { noteAnswer } from '@/lib/asked'
import { formatDayAndTime, relativeTime } from '@/lib/format'
import { limits } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** The asks for the user's listings, which wait for their answer. */
export default function Asks() {
  const query = useQuery(ownListingsQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  if (query.isError) return <ErrorPanel text={t('listings_asks_failed')} query={query} />
  const waiting = query.data?.flatMap((listing) => listing.asks.map((ask) => ({ ask, most: listing.quantity }))) ?? []
  if (waiting.length === 0) return null
  return (
    <section aria-labelledby="asks" className="mb-5 grid gap-2 rounded-lg border border-primary/40 bg-card p-4">
      <h2 id="asks" ref={heading} tabIndex={-1} className="text-lg outline-none">
        {t('listings_asks_title', { count: waiting.length })}
      </h2>
      <ul className="-my-2 divide-y">
        {waiting.map(({ ask, most }) => (
          <AskRow
            key={ask.id}
            ask={ask}
            most={Math.min(most, ask.quantity)}
            onAnswered={() => heading.current?.focus()}
          />
        ))}
      </ul>
    </section>
  )
}

type RowProps = { ask: Ask; most: number; onAnswered: () => void }

function AskRow({ ask, most, onAnswered }: RowProps) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(String(most))
  const [message, setMessage] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const writes = useIdempotencyKey<{ accept: number; message: string }>()
  const id = useId()
  const accept = Number(typed) || 0

  async function answer(accept: number) {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      const text = message.trim() || t('listings_usual_message')
      if (accept > 0) noteAnswer(ask.id) // before the notice of it, which may come first
      await writes.once({ accept, message: text }, (content, key) =>
        answerAsk(ask.id, content.accept, content.message, key),
      )
      showToast(accept > 0 ? t('listings_said_yes', { quantity: accept, item: ask.itemName }) : t('listings_said_no'))
      onAnswered() // the button goes
      listingsChanged(queryClient)
    } catch (failure) {
      noteAnswer(ask.id, true)
      setError(failure)
      setBusy(false)
      listingsChanged(queryClient)
    }
  }

  return (
    <li className="grid gap-2 py-3">
      <p id={id} className="text-sm wrap-anywhere">
        {rich('listings_asks_for', {
          buyer: <bdi className="font-medium">{ask.buyer.displayName}</bdi>,
          quantity: ask.quantity,
          item: <bdi className="font-medium">{ask.itemName}</bdi>,
          sum: <Amount value={BigInt(ask.price) * BigInt(ask.quantity)} />,
        })}
        {' · '}
        <time className="text-muted-foreground" dateTime={ask.endsAt} title={formatDayAndTime(ask.endsAt)}>
          {t('listings_ends', { time: relativeTime(ask.endsAt) })}
        </time>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <QuantityInput
          aria-label={t('listings_accept_how_many')}
          aria-describedby={id}
          className="tabular h-9 w-24 pointer-coarse:h-11"
          min={1}
          max={Math.max(1, most)}
          value={typed}
          onValue={setTyped}
        />
        <Input
          aria-label={t('listings_message')}
          placeholder={t('listings_usual_message')}
          maxLength={limits.message}
          className="h-9 min-w-40 flex-1 pointer-coarse:h-11"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        <Button
          className="h-9 pointer-coarse:h-11"
          aria-describedby={id}
          aria-disabled={busy || accept < 1 || most < 1}
          onClick={() => accept >= 1 && most >= 1 && void answer(accept)}
        >
          {t('listings_yes', { quantity: accept })}
        </Button>
        <Button
          variant="outline"
          className="h-9 pointer-coarse:h-11"
          aria-describedby={id}
          aria-disabled={busy}
          onClick={() => void answer(0)}
        >
          {t('listings_no')}
        </Button>
      </div>
      {error !== undefined && <Notice>{messageFor(error, t('listings_answer_failed'))}</Notice>}
    </li>
  )
}
