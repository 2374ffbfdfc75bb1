import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { keys } from '@/api/keys'
import { sendOffer } from '@/api/offers'
import { putOrder } from '@/api/orderCache'
import type { Order, User } from '@/api/types'
import { Amount } from '@/components/coins'
import { DiscordMark } from '@/components/discord-mark'
import { DraftNotice } from '@/components/draft-notice'
import { QuantityInput } from '@/components/quantity-input'
import { RequestSummary } from '@/components/request-summary'
import { Success } from '@/components/success'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input, Textarea } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { type OrderDialogProps, useDialogs } from '@/hooks/useDialogs'
import { useDraftForm } from '@/hooks/useDraftForm'
import { formatNumber } from '@/lib/format'
import { checkOffer } from '@/lib/validation'

export default function OfferDialog({ open, onClose, order, user }: OrderDialogProps) {
  const [sent, setSent] = useState<{ replaced: boolean } | null>(null)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title="Offer to Fulfill">
        {sent ? (
          <Success title="Your offer is sent" orderId={order.id} onDone={onClose}>
            {sent.replaced
              ? 'It takes the place of your earlier offer.'
              : 'The buyer is told, and will write to you on Discord.'}
          </Success>
        ) : order.signedInOnly && !user ? (
          <OnlySignedIn order={order} />
        ) : (
          <OfferForm order={order} user={user} onSent={setSent} onCancel={onClose} />
        )}
      </DialogContent>
    </Dialog>
  )
}

/** What a visitor is shown where the buyer takes offers of signed-in sellers only. */
function OnlySignedIn({ order }: { order: Order }) {
  const { open } = useDialogs()
  return (
    <>
      <DialogBody className="grid content-start gap-5">
        <RequestSummary order={order} />
        <Notice tone="info">
          Only signed-in sellers can offer on this request. Sign in with Discord, and you come back here.
        </Notice>
      </DialogBody>
      <DialogFooter>
        <Button className="max-sm:h-11" onClick={() => open({ name: 'sign-in' })}>
          <DiscordMark className="size-5" /> Sign In with Discord
        </Button>
      </DialogFooter>
    </>
  )
}

type FormProps = {
  order: Order
  user: User | null
  onSent: (sent: { replaced: boolean }) => void
  onCancel: () => void
}

function OfferForm({ order, user, onSent, onCancel }: FormProps) {
  const queryClient = useQueryClient()
  const remaining = order.quantity - order.sold
  const { form, submit, notice, sending, errorOf, restored, startOver } = useDraftForm({
    name: `offer.${order.id}`,
    defaults: {
      sellerName: user?.displayName ?? '',
      sellerContact: user?.username ?? '',
      message: '',
      quantityOffered: String(Math.max(1, remaining)),
    },
    fixed: user ? { sellerContact: user.username } : undefined,
    check: (values) => checkOffer({ ...values, quantityOffered: Number(values.quantityOffered) }, order.quantity),
    failure: 'Failed to send offer. Please try again.',
    async send(values, key) {
      const body = { ...values, quantityOffered: Number(values.quantityOffered) }
      const { replaced } = await sendOffer(order.id, body, key)
      if (user) void queryClient.invalidateQueries({ queryKey: keys.sentOffers })
      onSent({ replaced })
    },
    onRefused({ current }) {
      if (current) putOrder(queryClient, current)
      return false
    },
  })
  const { register, control } = form
  const quantity = Number(form.watch('quantityOffered')) || 0

  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <DialogBody className="grid content-start gap-5">
        <RequestSummary order={order} />
        <DraftNotice shown={restored} onStartOver={startOver} />
        {order.status === 'fulfilled' && <Notice>This request is already closed</Notice>}
        <Field label="Your name" error={errorOf('sellerName')}>
          {(field) => <Input {...field} {...register('sellerName')} autoComplete="nickname" spellCheck={false} />}
        </Field>
        <Field
          label="Discord username"
          error={errorOf('sellerContact')}
          help={
            user
              ? 'Your account vouches for it: the buyer sees it as verified.'
              : 'The buyer writes to you there. Without signing in it is marked as unverified contact.'
          }
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
              label="Quantity"
              error={errorOf('quantityOffered')}
              help={`${formatNumber(remaining)} are left of ${formatNumber(order.quantity)}.`}
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
        <Field label="Message" error={errorOf('message')} help="When you can deliver, and where you meet.">
          {(field) => <Textarea {...field} {...register('message')} rows={3} />}
        </Field>
        <dl className="grid gap-1.5 rounded-md bg-muted/60 px-3 py-2.5 text-sm">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <dt className="text-muted-foreground">Price per unit, set by the request</dt>
            <dd>
              <Amount value={order.maxPricePerUnit} />
            </dd>
          </div>
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <dt className="text-muted-foreground">You receive</dt>
            <dd>
              <Amount value={BigInt(order.maxPricePerUnit) * BigInt(quantity)} size="medium" />
            </dd>
          </div>
        </dl>
      </DialogBody>
      {notice && <Notice className="mx-5 mb-3">{notice}</Notice>}
      <DialogFooter>
        <Button variant="ghost" className="max-sm:hidden" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" className="max-sm:h-11" disabled={sending}>
          {sending ? 'Sending...' : 'Send Offer'}
        </Button>
      </DialogFooter>
    </form>
  )
}
