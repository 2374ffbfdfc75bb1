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
import { lookAlike } from '@/components/look-alike-icon'
import { Notice } from '@/components/notice'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { usePageTitle } from '@/hooks/usePageTitle'
import { copyText } from '@/lib/clipboard'
import { formatNumber } from '@/lib/format'
import { limits } from '@/lib/market'
import { isOn } from '@/lib/site'
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
  usePageTitle('Trade Slip')
  if (!known || (error instanceof ApiError && error.isClientError)) return <NothingOpen name={data?.with.name} />
  if (error && !data) return <ErrorPanel text="Failed to load the trade slip. Please try again." query={query} />
  if (!data) return <Loading label="Loading the trade slip" boxes={['h-16', 'h-32', 'h-56']} className="gap-4" />
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
      showToast(
        word === 'met' ? `You said that you met, for ${formatNumber(sales.length)} of it` : 'Your answer is saved',
      )
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
          Trade slip with <Typed>{partner}</Typed>
        </h1>
        {isOn('records') && (
          <Suspense fallback={<div className="min-h-5" />}>
            <TradeRecordLine userId={slip.with.id} />
          </Suspense>
        )}
      </header>
      {say.error && (
        <Notice>
          {errors.size > 0
            ? 'Nothing was saved, because some of it has changed. See below, and answer the rest.'
            : messageFor(say.error, 'Failed to save your answer. Please try again.')}
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
                ? 'Saving...'
                : waiting.length === 1
                  ? 'We met'
                  : `We met for all ${formatNumber(waiting.length)}`}
            </Button>
            <Button size="lg" variant="outline" onClick={() => window.print()}>
              <Printer /> Print
            </Button>
          </div>
        </>
      ) : (
        <Notice tone="info">
          You have answered for all of it. Now it's up to <Typed>{partner}</Typed>.
        </Notice>
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
        Who and where
      </h2>
      <dl className="grid gap-x-6 gap-y-3 rounded-lg border bg-card p-4 sm:grid-cols-2">
        <Detail name={<Typed>{other.name || other.contact}</Typed>}>
          {other.inGameNames.map((name) => (
            <Copied key={name} text={name} label={`Copy the in-game name ${name}`} />
          ))}
          {other.inGameNames.length === 0 && <p className="text-muted-foreground">No in-game name yet</p>}
          {other.lookAlike && <p className="text-high-foreground text-sm">This name {lookAlike}</p>}
          <p className="flex flex-wrap items-center gap-x-1 text-muted-foreground text-sm">
            Discord: <Copied text={other.contact} label={`Copy the Discord name ${other.contact}`} />
          </p>
        </Detail>
        <Detail name="You in game">
          <OneLine
            label="Your in-game name"
            value={you.inGameNames[0] ?? ''}
            maxLength={limits.inGameName}
            field="inGameName"
            help="As your partners find you in the game, with everything that belongs to it, such as #1234."
            change={you.inGameNames.length > 0 ? 'Change' : 'Add your name'}
            save={(name, key) => saved(putInGameName(name, key))}
          >
            {you.inGameNames.length > 0 ? (
              <Typed>{you.inGameNames.join(', ')}</Typed>
            ) : (
              <span className="text-muted-foreground">Not said yet</span>
            )}
          </OneLine>
        </Detail>
        <Detail name="Where" className="sm:col-span-2">
          {slip.canSayPlace ? (
            <OneLine
              label="Where you meet"
              value={place?.text ?? ''}
              maxLength={limits.place}
              field="place"
              help="One short line. Both of you see it, and either can change it."
              change={place ? 'Change' : 'Say where'}
              save={(text, key) => saved(putMeetingPlace(other.id, text, key))}
            >
              {place ? (
                <>
                  <Typed>{place.text}</Typed>
                  <span className="text-muted-foreground text-sm">
                    {' '}
                    · said by {place.saidByYou ? 'you' : <Typed>{other.name || other.contact}</Typed>}
                  </span>
                </>
              ) : (
                <span className="text-muted-foreground">Not said yet</span>
              )}
            </OneLine>
          ) : (
            <p className="text-muted-foreground">You can't say where you meet here.</p>
          )}
        </Detail>
      </dl>
    </section>
  )
}

function Detail({
  name,
  className,
  children,
}: {
  name: React.ReactNode
  className?: string
  children: React.ReactNode
}) {
  return (
    <div className={className}>
      <dt className="text-muted-foreground text-sm wrap-anywhere">{name}</dt>
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
    showToast((await copyText(line)) ? 'Message copied' : `Couldn't copy. The message is: ${line}`)
  }
  return (
    <section aria-labelledby="to-copy" className="grid gap-2.5">
      <h2 id="to-copy" className="text-lg">
        To say in the game
      </h2>
      <p dir="ltr" className="rounded-md bg-muted/60 px-3 py-2 text-sm wrap-anywhere">
        {line}
      </p>
      <SoftButton className="justify-self-start" onClick={copy}>
        <Copy /> Copy Message
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
        title={name ? `All is settled with ${name}` : 'Nothing is open here'}
        hint="A trade slip shows what you and one trader have agreed on, until both have said what happened."
        action={<Button onClick={() => go('/offers')}>My Offers</Button>}
      />
    </Suspense>
  )
}
