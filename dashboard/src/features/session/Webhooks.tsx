import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import { endWebhook, replaceSecret, switchOn, type Webhook, webhooksQuery } from '@/api/webhooks'
import { ErrorPanel } from '@/components/error-panel'
import { needsFreshSignIn, SignInOnceMore } from '@/components/failure'
import { Notice } from '@/components/notice'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { readDraft } from '@/lib/drafts'
import { relativeTime } from '@/lib/format'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ShownSecret } from './ShownSecret'
import { WebhookDeliveries } from './WebhookDeliveries'
import { draftName, WebhookForm } from './WebhookForm'

type Made = { webhook: Webhook; secret: string | null; replaced?: boolean }

const hostOf = ({ url }: Webhook) => new URL(url).host

/** Where the market sends events of the user's trades, or what changes of the market; how to add and end that. */
export default function Webhooks({ market = false }: { market?: boolean }) {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const headingId = useId()
  const Heading = market ? 'h2' : 'h3' // below the page's heading, or the dialog's
  const [ends, switches, replacements] = [
    useIdempotencyKey<number>(),
    useIdempotencyKey<number>(),
    useIdempotencyKey<number>(),
  ]
  const query = useQuery(webhooksQuery(market))
  const { data, isError } = query
  // After the sign-in that adding one asks for, what was typed is there.
  const [making, setMaking] = useState(() => readDraft(draftName(market)) !== null)
  const [made, setMade] = useState<Made | null>(null)
  const reload = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })

  const ending = useMutation({
    mutationFn: ({ id }: Webhook) => ends.once(id, endWebhook),
    async onSuccess(_, webhook) {
      if (made?.webhook.id === webhook.id) setMade(null)
      showToast(t('webhooks_ended', { host: hostOf(webhook) }))
      await reload()
      heading.current?.focus() // the button is gone
    },
    onError: (error) => showToast(messageFor(error, t('webhooks_end_failed')), 'error'),
  })
  const switching = useMutation({
    mutationFn: ({ id }: Webhook) => switches.once(id, switchOn),
    onSuccess: (_, webhook) => showToast(t('webhooks_switched_on', { host: hostOf(webhook) })),
    onError: (error) => showToast(messageFor(error, t('webhooks_change_failed')), 'error'),
    onSettled: reload,
  })
  const replacing = useMutation({
    mutationFn: ({ id }: Webhook) => replacements.once(id, replaceSecret),
    onSuccess: (answer) => setMade({ ...answer, replaced: true }),
  })

  function close() {
    setMaking(false)
    setMade(null)
    heading.current?.focus()
  }

  const busy = ending.isPending || switching.isPending || replacing.isPending
  const full = data !== undefined && data.webhooks.length >= data.most
  return (
    <section aria-labelledby={headingId} className="grid w-full gap-2">
      <Heading ref={heading} id={headingId} tabIndex={-1} className="font-medium text-sm outline-none">
        {market ? t('webhooks_market_title') : t('webhooks_title')}
      </Heading>
      <p className="text-muted-foreground text-xs">{market ? t('webhooks_market_about') : t('webhooks_about')}</p>
      {isError && <ErrorPanel text={t('webhooks_load_failed')} query={query} />}
      {!data && !isError && <Skeleton className="h-14 w-full" />}
      {data?.webhooks.length === 0 && <p className="py-1.5 text-sm">{t('webhooks_none')}</p>}
      <ul className="grid divide-y">
        {data?.webhooks.map((webhook) => (
          <Row
            key={webhook.id}
            webhook={webhook}
            everything={webhook.types.length === data.types.length}
            disabled={busy}
            onEnd={() => ending.mutate(webhook)}
            onSwitch={() => switching.mutate(webhook)}
            onReplace={() => replacing.mutate(webhook)}
          />
        ))}
      </ul>
      {replacing.isError && (
        <Notice>
          {messageFor(replacing.error, t('webhooks_change_failed'))}
          {needsFreshSignIn(replacing.error) && <SignInOnceMore />}
        </Notice>
      )}
      {made ? (
        <ShownSecret
          key={made.secret}
          label={t('webhooks_secret')}
          text={madeText(made)}
          secret={made.secret}
          copyFailed={t('webhooks_copy_failed')}
          onDone={close}
        />
      ) : making && data ? (
        <WebhookForm
          market={market}
          types={data.types}
          onMade={(answer) => {
            setMade(answer)
            void reload()
          }}
          onCancel={close}
        />
      ) : full ? (
        <p className="text-muted-foreground text-xs">{t('webhooks_full', { most: data.most })}</p>
      ) : (
        data && (
          <Button variant="outline" className="justify-self-start max-sm:h-11" onClick={() => setMaking(true)}>
            {t('webhooks_make')}
          </Button>
        )
      )}
    </section>
  )
}

function madeText({ webhook, secret, replaced }: Made) {
  const host = hostOf(webhook)
  if (!secret) return t('webhooks_lost', { host })
  return replaced ? t('webhooks_replaced', { host }) : t('webhooks_made', { host })
}

type RowProps = {
  webhook: Webhook
  everything: boolean // it gets all types
  disabled: boolean
  onEnd: () => void
  onSwitch: () => void
  onReplace: () => void
}

function Row({ webhook, everything, disabled, onEnd, onSwitch, onReplace }: RowProps) {
  const [open, setOpen] = useState(false)
  const deliveries = useId()
  const host = hostOf(webhook)
  const buttons = 'max-sm:h-11'
  return (
    <li className="grid gap-1.5 py-2.5 text-sm">
      <p dir="ltr" className="wrap-anywhere">
        {webhook.url}
      </p>
      <p className="wrap-anywhere text-muted-foreground text-xs">
        {stateText(webhook)} · {everything ? t('webhooks_all') : webhook.types.join(', ')}
      </p>
      <div className="flex flex-wrap gap-2">
        {webhook.state === 'off' && (
          <Button
            size="sm"
            className={buttons}
            disabled={disabled}
            aria-label={t('webhooks_switch_on_of', { host })}
            onClick={onSwitch}
          >
            {t('webhooks_switch_on')}
          </Button>
        )}
        <Button
          variant="outline"
          size="sm"
          className={buttons}
          aria-label={t('webhooks_deliveries_of', { host })}
          aria-expanded={open}
          aria-controls={deliveries}
          onClick={() => setOpen(!open)}
        >
          {t('webhooks_deliveries')}
        </Button>
        <Button
          variant="outline"
          size="sm"
          className={buttons}
          disabled={disabled}
          aria-label={t('webhooks_replace_of', { host })}
          onClick={onReplace}
        >
          {t('webhooks_replace')}
        </Button>
        <Button
          variant="outline"
          size="sm"
          className={buttons}
          disabled={disabled}
          aria-label={t('webhooks_end_of', { host })}
          onClick={onEnd}
        >
          {t('webhooks_end')}
        </Button>
      </div>
      <div id={deliveries}>{open && <WebhookDeliveries webhook={webhook} />}</div>
    </li>
  )
}

const offTexts = {
  unanswered: t('webhooks_off_unanswered'),
  failed: t('webhooks_off_failed'),
  gone: t('webhooks_off_gone'),
  behind: t('webhooks_off_behind'),
}

function stateText({ state, reason, failingSince }: Webhook) {
  if (state === 'off') return offTexts[reason ?? 'failed']
  if (state === 'asked') return t('webhooks_asked')
  return failingSince ? t('webhooks_failing', { when: relativeTime(failingSince) }) : t('webhooks_on')
}
