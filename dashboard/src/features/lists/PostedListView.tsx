import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { errorsByLine, listQuery, offerOnList, type PostedList } from '@/api/lists'
import type { Order, User } from '@/api/types'
import { Amount } from '@/components/coins'
import { DiscordMark } from '@/components/discord-mark'
import { ErrorPanel } from '@/components/error-panel'
import { Field } from '@/components/labelled-field'
import { Loading } from '@/components/loading'
import { NotFound } from '@/components/not-found'
import { Notice } from '@/components/notice'
import { ProgressBar } from '@/components/progress-bar'
import { QuantityInput } from '@/components/quantity-input'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { countOf, formatNumber } from '@/lib/format'
import { shareAddress } from '@/lib/share'
import { showToast } from '@/lib/toasts'
import { ListLines } from './ListLines'

/** A list with its progress. A seller offers on several of its requests in one form. */
export function PostedListView({ id }: { id: number }) {
  const known = Number.isSafeInteger(id) && id > 0
  const query = useQuery({ ...listQuery(id), enabled: known })
  const { data: list, error } = query
  const { user, isPending } = useMe()
  usePageTitle(list?.name)
  if (list) return <Shown list={list} user={user} known={!isPending} />
  if (!known || (error instanceof ApiError && error.isClientError)) {
    return <NotFound title="List not found" hint="Its requests may have been deleted, or the link may be wrong." />
  }
  if (error) return <ErrorPanel text="Failed to load the list. Please try again." query={query} />
  return <Loading label="Loading the list" boxes={['h-16', 'h-72']} className="gap-4" />
}

const isOpen = (order: Order) => order.status === 'active' && !order.expired && !order.hidden

function Shown({ list, user, known }: { list: PostedList; user: User | null; known: boolean }) {
  const { progress } = list
  const own = list.userId === user?.id
  const total = list.orders.reduce((sum, order) => sum + BigInt(order.remainingValue), 0n)
  const offers = !own && list.orders.some(isOpen)
  return (
    <div className="grid gap-5">
      <header className="grid gap-2">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h1 className="text-xl wrap-anywhere">
            <Typed>{list.name}</Typed>
          </h1>
          <Button variant="ghost" className="px-3" onClick={shareAddress}>
            <Link2 /> Copy Link
          </Button>
        </div>
        <ProgressBar progress={progress.percent} label={`Progress of ${list.name}`} />
        <p className="tabular text-muted-foreground text-sm">
          {formatNumber(progress.sold)} of {formatNumber(progress.wanted)} bought · {formatNumber(progress.done)} of{' '}
          {countOf(progress.orders, 'request')} done
        </p>
        {total > 0n && (
          <p className="text-sm">
            Left to pay: <Amount value={total} size="medium" />
          </p>
        )}
      </header>
      {offers && user ? (
        <OfferLines list={list} user={user} />
      ) : (
        <>
          <ListLines orders={list.orders} />
          {offers && known && <SignInToOffer />}
        </>
      )}
    </div>
  )
}

function SignInToOffer() {
  const { open } = useDialogs()
  return (
    <p className="flex flex-wrap items-center gap-3 text-muted-foreground text-sm">
      Open a request to offer on it, or sign in to offer on several at once.
      <Button className="max-sm:h-11" onClick={() => open({ name: 'sign-in' })}>
        <DiscordMark className="size-5" /> Sign In with Discord
      </Button>
    </p>
  )
}

/** The lines with a quantity each, and one message. All offers are sent, or none. */
function OfferLines({ list, user }: { list: PostedList; user: User }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const [quantities, setQuantities] = useState<Record<number, string>>({})
  const [sellerName, setSellerName] = useState(user.displayName)
  const [message, setMessage] = useState('')
  const [wrong, setWrong] = useState(() => new Map<number, string>())
  const [fields, setFields] = useState(() => new Map<string, string>())
  const [notice, setNotice] = useState('')
  const [sending, setSending] = useState(false)

  const lines = list.orders
    .filter((order) => isOpen(order) && Number(quantities[order.id]) > 0)
    .map((order) => ({ orderId: order.id, quantity: Number(quantities[order.id]) }))
  const pays = list.orders.reduce(
    (sum, order) => sum + BigInt(order.maxPricePerUnit) * BigInt(Number(quantities[order.id]) || 0),
    0n,
  )

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (lines.length === 0) {
      setNotice('Say how many you offer of at least one request.')
      return
    }
    setSending(true)
    setNotice('')
    setWrong(new Map())
    setFields(new Map())
    const body = { sellerName, message, lines }
    try {
      const { offers } = await offerOnList(list.id, body, writes.keyFor(body))
      writes.succeeded()
      setQuantities({})
      setMessage('')
      void queryClient.invalidateQueries({ queryKey: keys.sentOffers })
      showToast(`${countOf(offers.length, 'offer')} sent. We'll message you when the buyer answers.`)
    } catch (error) {
      const found = errorsByLine(error instanceof ApiError ? error.problem.errors : undefined)
      setWrong(new Map([...found.lines].map(([number, text]) => [lines[number - 1]?.orderId ?? 0, text])))
      setFields(found.fields)
      setNotice(
        found.lines.size > 0
          ? 'No offer was sent. Look at the marked lines.'
          : found.fields.size > 0
            ? ''
            : messageFor(error, 'Failed to send the offers. Please try again.'),
      )
    } finally {
      setSending(false)
    }
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Offer on several requests">
      <ListLines
        orders={list.orders}
        beside={(order) =>
          isOpen(order) && (
            <Field
              label={<span className="sr-only">I offer of {order.itemName}</span>}
              error={wrong.get(order.id)}
              className="w-36"
            >
              {(field) => (
                <QuantityInput
                  {...field}
                  min={0}
                  max={order.quantity - order.sold}
                  placeholder="I offer"
                  value={quantities[order.id] ?? ''}
                  onValue={(value) => setQuantities((old) => ({ ...old, [order.id]: value === '0' ? '' : value }))}
                />
              )}
            </Field>
          )
        }
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Your name" error={fields.get('sellerName')}>
          {(field) => (
            <Input
              {...field}
              value={sellerName}
              onChange={(e) => setSellerName(e.target.value)}
              autoComplete="nickname"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Message" error={fields.get('message')} help="Say when you can deliver and where to meet.">
          {(field) => <Textarea {...field} rows={2} value={message} onChange={(e) => setMessage(e.target.value)} />}
        </Field>
      </div>
      <div aria-live="polite">{notice && <Notice>{notice}</Notice>}</div>
      <div className="flex flex-wrap items-center justify-end gap-x-5 gap-y-3">
        {pays > 0n && (
          <p className="text-sm">
            You receive <Amount value={pays} size="medium" />
          </p>
        )}
        <Button type="submit" className="max-sm:h-11 max-sm:w-full" disabled={sending}>
          {sending ? 'Sending...' : lines.length > 0 ? `Send ${countOf(lines.length, 'Offer')}` : 'Send Offers'}
        </Button>
      </div>
    </form>
  )
}
