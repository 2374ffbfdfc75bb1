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
import { PageLink } from '@/components/page-link'
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
import { shareAddress } from '@/lib/share'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
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
    return <NotFound title={t('lists_not_found')} hint={t('lists_not_found_hint')} />
  }
  if (error) return <ErrorPanel text={t('lists_failed_to_load')} query={query} />
  return <Loading label={t('lists_loading')} boxes={['h-16', 'h-72']} className="gap-4" />
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
            <Link2 /> {t('common_copy_link')}
          </Button>
        </div>
        <ProgressBar progress={progress.percent} label={t('lists_progress', { list: list.name })} />
        <p className="tabular text-muted-foreground text-sm">
          {t('lists_sum', {
            sold: progress.sold,
            wanted: progress.wanted,
            done: progress.done,
            requests: progress.orders,
          })}
        </p>
        {total > 0n && (
          <p className="text-sm">{rich('lists_left_to_pay', { amount: <Amount value={total} size="medium" /> })}</p>
        )}
        {own && isOn('listings') && list.orders.some((order) => isOpen(order) && !order.listingId) && (
          <PageLink
            to={`/lists/new?from=${list.id}`}
            className="touch justify-self-start text-primary text-sm underline decoration-primary/40 underline-offset-4"
          >
            {t('lists_plan_left')}
          </PageLink>
        )}
      </header>
      {offers && user ? (
        <OfferLines list={list} user={user} />
      ) : (
        <>
          <ListLines orders={list.orders} list={list.id} />
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
      {t('lists_sign_in')}
      <Button className="max-sm:h-11" onClick={() => open({ name: 'sign-in' })}>
        <DiscordMark className="size-5" /> {t('common_sign_in_with_discord')}
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
      setNotice(t('lists_offer_nothing'))
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
      showToast(t('lists_offers_sent', { count: offers.length }))
    } catch (error) {
      const found = errorsByLine(error instanceof ApiError ? error.problem.errors : undefined)
      setWrong(new Map([...found.lines].map(([number, text]) => [lines[number - 1]?.orderId ?? 0, text])))
      setFields(found.fields)
      setNotice(
        found.lines.size > 0
          ? t('lists_offers_wrong')
          : found.fields.size > 0
            ? ''
            : messageFor(error, t('lists_failed_to_offer')),
      )
    } finally {
      setSending(false)
    }
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label={t('lists_offer_form')}>
      <ListLines
        orders={list.orders}
        list={list.id}
        beside={(order) =>
          isOpen(order) && (
            <Field
              label={<span className="sr-only">{t('lists_offer_quantity', { item: order.itemName })}</span>}
              error={wrong.get(order.id)}
              className="w-36"
            >
              {(field) => (
                <QuantityInput
                  {...field}
                  min={0}
                  max={order.quantity - order.sold}
                  placeholder={t('lists_offer_quantity_short')}
                  value={quantities[order.id] ?? ''}
                  onValue={(value) => setQuantities((old) => ({ ...old, [order.id]: value === '0' ? '' : value }))}
                />
              )}
            </Field>
          )
        }
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t('lib_your_name')} error={fields.get('sellerName')}>
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
        <Field label={t('common_message')} error={fields.get('message')} help={t('lists_message_help')}>
          {(field) => <Textarea {...field} rows={2} value={message} onChange={(e) => setMessage(e.target.value)} />}
        </Field>
      </div>
      <div aria-live="polite">{notice && <Notice>{notice}</Notice>}</div>
      <div className="flex flex-wrap items-center justify-end gap-x-5 gap-y-3">
        {pays > 0n && (
          <p className="text-sm">{rich('lists_you_receive', { amount: <Amount value={pays} size="medium" /> })}</p>
        )}
        <Button type="submit" className="max-sm:h-11 max-sm:w-full" disabled={sending}>
          {sending
            ? t('common_sending')
            : lines.length > 0
              ? t('lists_send_offer_count', { count: lines.length })
              : t('lists_send_offers')}
        </Button>
      </div>
    </form>
  )
}
