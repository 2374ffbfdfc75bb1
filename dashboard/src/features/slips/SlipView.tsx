import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Printer } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { sayHandovers, type Word } from '@/api/handovers'
import { keys } from '@/api/keys'
import { putInGameName, putMeetingPlace, type Slip, type SlipLine, slipQuery } from '@/api/slips'
import { SoftButton } from '@/components/buttons'
import { CopyButton } from '@/components/copy-button'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { Notice } from '@/components/notice'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { usePageTitle } from '@/hooks/usePageTitle'
import { copyText } from '@/lib/clipboard'
import { limits } from '@/lib/market'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { lineForGame } from './lineForGame'
import { OneLine } from './OneLine'
import { SlipLines } from './SlipLines'
import { SlipTotals } from './SlipTotals'
import './slip.css'

const EmptyState = lazy(() => import('@/components/empty-state'))
const TradeRecordLine = lazy(() => import('@/components/trade-record'))

/** Everything that is open between the user and one partner, answered as a whole. */
export function SlipView({ partner }: { partner: number }) {
  const known = Number.isSafeInteger(partner) && partner > 0
  const query = useQuery({ ...slipQuery(partner), enabled: known })
  const { data, error } = query
  usePageTitle(t('slips_page_title'))
  if (!known || (error instanceof ApiError && error.isClientError)) return <NothingOpen name={data?.with.name} />
  if (error && !data) return <ErrorPanel text={t('slips_load_failed')} query={query} />
  if (!data) return <Loading label={t('slips_loading')} boxes={['h-16', 'h-32', 'h-56']} className="gap-4" />
  return <Open slip={data} />
}

function Open({ slip }: { slip: Slip }) {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const writes = useIdempotencyKey()
  const [errors, setErrors] = useState<Map<number, string>>(new Map())
  const partner = slip.with.name || slip.with.contact
  const waiting = slip.lines.filter(({ handover }) => handover.canSay).map(({ handover }) => handover.id)

  const refresh = () => {
    for (const queryKey of [keys.handovers, keys.receipts, keys.orders, keys.me, ['sales']]) {
      void queryClient.invalidateQueries({ queryKey })
    }
  }
  const say = useMutation({
    mutationFn: ({ sales, word }: { sales: number[]; word: Word }) =>
      sayHandovers(sales, word, writes.keyFor([word, sales])),
    onMutate: () => setErrors(new Map()),
    onSuccess: (_, { sales, word }) => {
      writes.succeeded()
      showToast(word === 'met' ? t('slips_said_met', { count: sales.length }) : t('slips_answer_saved'))
      heading.current?.focus() // the button is gone
    },
    onError: (error, { sales }) => {
      if (!(error instanceof ApiError)) return
      const said = Object.entries(error.problem.errors ?? {}).map(([field, text]) => {
        const place = Number(/^sales\[(\d+)\]$/.exec(field)?.[1] ?? 0)
        return [sales[place - 1] ?? 0, text] as const
      })
      setErrors(new Map(said))
    },
    onSettled: refresh,
  })
  const notMet = ({ handover }: SlipLine) => say.mutate({ sales: [handover.id], word: 'not_met' })

  return (
    <div id="slip" className="grid gap-6">
      <header className="grid gap-1">
        <h1 ref={heading} tabIndex={-1} className="text-xl wrap-anywhere outline-none">
          {rich('slips_title', { partner: <Typed>{partner}</Typed> })}
        </h1>
        {isOn('records') && (
          <Suspense fallback={<div className="min-h-5" />}>
            <TradeRecordLine userId={slip.with.id} />
          </Suspense>
        )}
      </header>
      {say.error && (
        <Notice>
          {errors.size > 0 ? t('slips_not_saved') : messageFor(say.error, t('slips_answer_failed'))}
          {/* What is no longer on the slip is named here. */}
          {[...errors]
            .filter(([id]) => !slip.lines.some(({ handover }) => handover.id === id))
            .map(([id, text]) => (
              <p key={id}>{text}</p>
            ))}
        </Notice>
      )}
      {waiting.length > 0 ? (
        <>
          <SlipTotals slip={slip} partner={partner} />
          <Names slip={slip} refresh={refresh} />
          <ToCopy line={lineForGame(slip)} />
          <div className="flex flex-wrap gap-2">
            <Button size="lg" disabled={say.isPending} onClick={() => say.mutate({ sales: waiting, word: 'met' })}>
              {say.isPending
                ? t('common_saving')
                : waiting.length === 1
                  ? t('common_we_met')
                  : t('slips_met_for_all', { count: waiting.length })}
            </Button>
            <Button size="lg" variant="outline" onClick={() => window.print()}>
              <Printer /> {t('slips_print')}
            </Button>
          </div>
        </>
      ) : (
        <Notice tone="info">{rich('slips_answered', { partner: <Typed>{partner}</Typed> })}</Notice>
      )}
      <SlipLines slip={slip} partner={partner} busy={say.isPending} errors={errors} onNotMet={notMet} />
    </div>
  )
}

/** How both are called in the game, and where they meet. */
function Names({ slip, refresh }: { slip: Slip; refresh: () => void }) {
  const { with: other, you, place } = slip
  async function saved(write: Promise<unknown>) {
    await write
    refresh()
  }
  return (
    <section aria-labelledby="where" className="grid gap-3">
      <h2 id="where" className="text-lg">
        {t('slips_who_and_where')}
      </h2>
      <dl className="grid gap-x-6 gap-y-3 rounded-lg border bg-card p-4 sm:grid-cols-2">
        <Detail label={<Typed>{other.name || other.contact}</Typed>}>
          {other.inGameNames.map((name) => (
            <Copied key={name} text={name} label={t('slips_copy_in_game_name', { name })} />
          ))}
          {other.inGameNames.length === 0 && <p className="text-muted-foreground">{t('slips_no_in_game_name')}</p>}
          {other.lookAlike && <p className="text-high-foreground text-sm">{t('slips_look_alike')}</p>}
          <p className="flex flex-wrap items-center gap-x-1 text-muted-foreground text-sm">
            {rich('slips_discord', {
              contact: <Copied text={other.contact} label={t('slips_copy_discord_name', { name: other.contact })} />,
            })}
          </p>
        </Detail>
        <Detail label={t('slips_you_in_game')}>
          <OneLine
            label={t('slips_your_in_game_name')}
            value={you.inGameNames[0] ?? ''}
            maxLength={limits.inGameName}
            field="inGameName"
            help={t('slips_your_in_game_name_help')}
            change={you.inGameNames.length > 0 ? t('common_change') : t('slips_add_name')}
            save={(name, key) => saved(putInGameName(name, key))}
          >
            {you.inGameNames.length > 0 ? (
              <Typed>{you.inGameNames.join(', ')}</Typed>
            ) : (
              <span className="text-muted-foreground">{t('slips_not_said')}</span>
            )}
          </OneLine>
        </Detail>
        <Detail label={t('slips_where')} className="sm:col-span-2">
          {slip.canSayPlace ? (
            <OneLine
              label={t('slips_place')}
              value={place?.text ?? ''}
              maxLength={limits.place}
              field="place"
              help={t('slips_place_help')}
              change={place ? t('common_change') : t('slips_say_where')}
              save={(text, key) => saved(putMeetingPlace(other.id, text, key))}
            >
              {place ? (
                <>
                  <Typed>{place.text}</Typed>
                  <span className="text-muted-foreground text-sm">
                    {' '}
                    ·{' '}
                    {place.saidByYou
                      ? t('slips_place_by_you')
                      : rich('slips_place_by', { name: <Typed>{other.name || other.contact}</Typed> })}
                  </span>
                </>
              ) : (
                <span className="text-muted-foreground">{t('slips_not_said')}</span>
              )}
            </OneLine>
          ) : (
            <p className="text-muted-foreground">{t('slips_no_place_here')}</p>
          )}
        </Detail>
      </dl>
    </section>
  )
}

function Detail({
  label,
  className,
  children,
}: {
  label: React.ReactNode
  className?: string
  children: React.ReactNode
}) {
  return (
    <div className={className}>
      <dt className="text-muted-foreground text-sm wrap-anywhere">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <bdi dir="auto" className="min-w-0 wrap-anywhere">
        {text}
      </bdi>
      <CopyButton text={text} label={label} />
    </span>
  )
}

function ToCopy({ line }: { line: string }) {
  async function copy() {
    showToast((await copyText(line)) ? t('slips_message_copied') : t('slips_copy_failed', { message: line }))
  }
  return (
    <section aria-labelledby="to-copy" className="grid gap-2.5">
      <h2 id="to-copy" className="text-lg">
        {t('slips_to_say')}
      </h2>
      <p dir="ltr" className="rounded-md bg-muted/60 px-3 py-2 text-sm wrap-anywhere">
        {line}
      </p>
      <SoftButton className="justify-self-start" onClick={copy}>
        <Copy /> {t('slips_copy_message')}
      </SoftButton>
    </section>
  )
}

function NothingOpen({ name }: { name: string | undefined }) {
  const { go } = useDialogs()
  return (
    <Suspense fallback={<div className="min-h-80" />}>
      <EmptyState
        heading="h1"
        drawing="stall"
        title={name ? t('slips_settled_with', { name }) : t('slips_nothing_open')}
        hint={t('slips_nothing_open_hint')}
        action={<Button onClick={() => go('/selling/offers')}>{t('common_my_offers')}</Button>}
      />
    </Suspense>
  )
}
