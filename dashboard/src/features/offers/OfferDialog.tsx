import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Controller } from 'react-hook-form'
import { keys } from '@/api/keys'
import { myOfferQuery, offerLinkQuery, readyQuery, sendOffer } from '@/api/offers'
import { putOrder } from '@/api/orderCache'
import { rulesQuery } from '@/api/rules'
import type { Order, ReadyAnswer, SentOffer, User } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { ByWhen } from '@/components/by-when'
import { Amount } from '@/components/coins'
import { DiscordMark } from '@/components/discord-mark'
import { DraftNotice } from '@/components/draft-notice'
import { Field } from '@/components/labelled-field'
import { Loading } from '@/components/loading'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/page-dialog'
import { QuantityInput } from '@/components/quantity-input'
import { RequestDetails } from '@/components/request-details'
import { Success } from '@/components/success'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { YouOffered } from '@/components/you-offered'
import { type OrderDialogProps, useDialogs } from '@/hooks/useDialogs'
import { useDraftForm } from '@/hooks/useDraftForm'
import { isOn, visitorsOffer } from '@/lib/site'
import { suggestedQuantity } from '@/lib/suggested'
import { rich, t } from '@/lib/texts'
import { offerForm } from '@/lib/validation'
import { forgetVisitor, readVisitor, saveVisitor } from '@/lib/visitor'
import { forgetVisitorOffer, keepVisitorOffer, visitorOffer } from '@/lib/visitorOffers'
import { OfferLinkSent } from './OfferLinkSent'

type Sent = { replaced: boolean; accepted?: number; link?: string | null }

export default function OfferDialog({ open, onClose, order, user }: OrderDialogProps) {
  const [sent, setSent] = useState<Sent | null>(null)
  const own = useQuery({ ...myOfferQuery(order.id), enabled: user !== null && !sent })
  // A visitor's is known by the private link that this browser has kept.
  const [token] = useState(() => (user ? undefined : visitorOffer(order.id)))
  const linked = useQuery({ ...offerLinkQuery(token ?? ''), enabled: token !== undefined && !sent, retry: false })
  const linkedOffer = linked.data?.offer.state === 'open' ? linked.data.offer : null
  const mine = (user ? own.data : linkedOffer) ?? null
  const ready = useQuery({ ...readyQuery, enabled: user !== null && !sent, retry: false })
  const isLoading = own.isLoading || linked.isLoading || ready.isLoading
  // The form is there at once, and makes way in the rare case: the server has the last word anyway.
  const rules = useQuery({ ...rulesQuery, enabled: user === null && !sent, retry: false })
  const title = (sent ? sent.replaced : mine) ? t('common_change_offer') : t('offers_form_title')
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={title}>
        {sent?.link ? (
          <OfferLinkSent link={sent.link} replaced={sent.replaced} onDone={onClose} />
        ) : sent ? (
          <Success
            title={
              sent.accepted ? t('offers_was_accepted') : sent.replaced ? t('offers_was_changed') : t('offers_was_sent')
            }
            orderId={order.id}
            onDone={onClose}
          >
            {sent.accepted
              ? t('offers_was_accepted_hint')
              : sent.replaced
                ? t('offers_was_changed_hint')
                : user
                  ? t('offers_was_sent_hint')
                  : t('offers_buyer_contacts_you')}
          </Success>
        ) : !user && (order.signedInOnly || !visitorsOffer()) ? (
          <SignInFirst order={order} />
        ) : !user && rules.data?.signedInOnlySince ? (
          <SignInFirst order={order} forNow />
        ) : isLoading ? (
          <LoadingOffer order={order} />
        ) : (
          <OfferForm
            order={order}
            user={user}
            mine={mine}
            ready={ready.data}
            token={linkedOffer ? token : undefined}
            onSent={setSent}
            onCancel={onClose}
          />
        )}
      </DialogContent>
    </Dialog>
  )
}

function LoadingOffer({ order }: { order: Order }) {
  return (
    <DialogBody className="grid content-start gap-5">
      <RequestDetails order={order} />
      <Loading label={t('offers_loading_yours')} boxes={Array<string>(3).fill('h-16')} className="gap-5" />
    </DialogBody>
  )
}

/** Asks a visitor to sign in, if the buyer or the market accepts offers from signed-in sellers only. */
function SignInFirst({ order, forNow = false }: { order: Order; forNow?: boolean }) {
  const { open } = useDialogs()
  const button = useRef<HTMLButtonElement>(null)
  // It may have taken the place of the form, with the focus in it.
  useEffect(() => {
    if (forNow) button.current?.focus()
  }, [forNow])
  return (
    <>
      <DialogBody className="grid content-start gap-5">
        <RequestDetails order={order} />
        <Notice tone="info">
          {order.signedInOnly
            ? t('offers_sign_in_request')
            : forNow
              ? t('offers_sign_in_for_now')
              : t('offers_sign_in')}
        </Notice>
      </DialogBody>
      <DialogFooter>
        <Button ref={button} className="max-sm:h-11" onClick={() => open({ name: 'sign-in' })}>
          <DiscordMark className="size-5" /> {t('common_sign_in_with_discord')}
        </Button>
      </DialogFooter>
    </>
  )
}

type FormProps = {
  order: Order
  user: User | null
  /** The user's open offer on the request, which this form changes. */
  mine: SentOffer | null
  /** What one press offers, and the message of the user's earlier offers. */
  ready: ReadyAnswer | undefined
  /** The secret of the private link to it, for a visitor's. */
  token?: string
  onSent: (sent: Sent) => void
  onCancel: () => void
}

function OfferForm({ order, user, mine, ready, token, onSent, onCancel }: FormProps) {
  const queryClient = useQueryClient()
  const remaining = order.quantity - order.sold
  const [goodUntil, setGoodUntil] = useState<string | undefined>()
  const [visitor, setVisitor] = useState(() => (user ? null : readVisitor()))
  const has = ready?.ready.find(({ orderId }) => orderId === order.id)
  const remembered = has || ready?.remembered ? ready?.message : visitor?.message
  const { form, submit, notice, sending, errorOf, restored, startOver } = useDraftForm({
    name: mine ? `offer.${order.id}.${mine.id}` : `offer.${order.id}`,
    defaults: {
      sellerName: mine?.sellerName ?? user?.displayName ?? visitor?.sellerName ?? '',
      sellerContact: user?.username ?? visitor?.sellerContact ?? '',
      message: mine?.message ?? remembered ?? '',
      quantityOffered: String(
        mine?.quantityLeft ?? suggestedQuantity(order.id) ?? has?.quantity ?? Math.max(1, remaining),
      ),
    },
    fixed: user ? { sellerContact: user.username } : undefined,
    schema: offerForm(order.quantity),
    failure: t('offers_send_failed'),
    async send(offer, key) {
      const { replaced, accepted, link } = await sendOffer(
        order.id,
        { ...offer, goodUntil, replaces: token ? undefined : (mine?.id ?? 0), replacesLink: token },
        key,
      )
      if (!user) saveVisitor(offer)
      if (link) keepVisitorOffer(order.id, link)
      if (user) void queryClient.invalidateQueries({ queryKey: keys.sentOffers })
      onSent({ replaced, accepted, link })
    },
    onClientError({ current, problem }) {
      if (current) putOrder(queryClient, current)
      // Another offer of the user's is open: the form now changes that one.
      if (problem.code === 'offered' && token) {
        forgetVisitorOffer(order.id)
        void queryClient.invalidateQueries({ queryKey: keys.offerLink(token) })
      }
      if (problem.code === 'offered') void queryClient.invalidateQueries({ queryKey: keys.sentOffers })
      return false
    },
  })
  const { register, control } = form

  function notMe() {
    forgetVisitor()
    setVisitor(null)
    form.setValue('sellerName', '')
    form.setValue('sellerContact', '')
    form.setValue('message', '')
    form.setFocus('sellerName')
  }

  const quantity = Number(form.watch('quantityOffered')) || 0

  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <DialogBody className="grid content-start gap-5">
        <RequestDetails order={order} />
        <DraftNotice shown={restored} onStartOver={startOver} />
        {mine && (
          <Notice tone="info">
            <YouOffered offer={mine} />
            <p>{t('offers_change_here')}</p>
          </Notice>
        )}
        {visitor && (
          <p className="text-muted-foreground text-sm">
            {rich('offers_offering_as', {
              seller: <Typed>{visitor.sellerName}</Typed>,
              notMe: (text) => <LinkButton onClick={notMe}>{text}</LinkButton>,
            })}
          </p>
        )}
        {order.status === 'fulfilled' && <Notice>{t('offers_request_closed')}</Notice>}
        <Field label={t('offers_your_name')} error={errorOf('sellerName')}>
          {(field) => <Input {...field} {...register('sellerName')} autoComplete="nickname" spellCheck={false} />}
        </Field>
        <Field
          label={t('common_discord_username')}
          error={errorOf('sellerContact')}
          help={user ? t('offers_contact_verified') : t('offers_contact_unverified')}
        >
          {(field) => (
            <Input
              {...field}
              {...register('sellerContact')}
              readOnly={user !== null}
              className={user ? 'bg-muted text-muted-foreground' : undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Controller
          control={control}
          name="quantityOffered"
          render={({ field: { value, onChange, onBlur, name } }) => (
            <Field
              label={t('common_quantity')}
              error={errorOf('quantityOffered')}
              help={t('offers_left', { left: remaining, quantity: order.quantity })}
            >
              {(field) => (
                <QuantityInput
                  {...field}
                  name={name}
                  min={1}
                  max={order.quantity}
                  value={value}
                  onValue={onChange}
                  onBlur={onBlur}
                />
              )}
            </Field>
          )}
        />
        <Field label={t('common_message')} error={errorOf('message')} help={t('offers_message_help')}>
          {(field) => <Textarea {...field} {...register('message')} rows={3} />}
        </Field>
        {isOn('handover') && (
          <ByWhen
            label={t('offers_good_until_label')}
            standard={t('offers_good_until_standard')}
            what={t('offers_good_until_what')}
            wide
            onChange={setGoodUntil}
          />
        )}
      </DialogBody>
      {/* In sight from the start, whatever the fields above take. */}
      <dl className="grid gap-x-5 gap-y-0.5 border-t bg-muted/60 px-5 py-2 text-sm sm:grid-cols-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <dt className="text-muted-foreground">{t('offers_price_set')}</dt>
          <dd>
            <Amount value={order.maxPricePerUnit} />
          </dd>
        </div>
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <dt className="text-muted-foreground">{t('offers_you_receive')}</dt>
          <dd>
            <Amount value={BigInt(order.maxPricePerUnit) * BigInt(quantity)} size="medium" />
          </dd>
        </div>
      </dl>
      {notice && <Notice className="mx-5 mt-3">{notice}</Notice>}
      <DialogFooter>
        <Button variant="ghost" className="max-sm:hidden" onClick={onCancel}>
          {t('common_cancel')}
        </Button>
        <Button type="submit" className="max-sm:h-11" disabled={sending}>
          {sending ? t('common_sending') : mine ? t('common_change_offer') : t('offers_send')}
        </Button>
      </DialogFooter>
    </form>
  )
}
