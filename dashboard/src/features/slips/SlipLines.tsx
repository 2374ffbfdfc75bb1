import { useState } from 'react'
import type { Slip, SlipLine } from '@/api/slips'
import { Amount } from '@/components/coins'
import { ContradictQuestion } from '@/components/contradict-question'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { formatDayAndTime, formatNumber } from '@/lib/format'

type Props = {
  slip: Slip
  partner: string
  busy: boolean
  /** Why nothing could be said, by the number of the trade. */
  errors: Map<number, string>
  onNotMet: (line: SlipLine) => void
}

/** Each trade that is open. One that did not happen is answered by itself. */
export function SlipLines({ slip, partner, busy, errors, onNotMet }: Props) {
  return (
    <section aria-labelledby="open-trades" className="grid gap-2">
      <h2 id="open-trades" className="text-lg">
        Open trades
      </h2>
      <ul aria-labelledby="open-trades" className="grid divide-y border-y">
        {slip.lines.map((line) => (
          <Line
            key={line.handover.id}
            line={line}
            partner={partner}
            busy={busy}
            error={errors.get(line.handover.id)}
            onNotMet={onNotMet}
          />
        ))}
      </ul>
      {slip.more && (
        <p className="text-muted-foreground text-sm">
          There are more. They appear here once some of these are settled.
        </p>
      )}
    </section>
  )
}

type LineProps = Omit<Props, 'slip' | 'errors'> & { line: SlipLine; error: string | undefined }

function Line({ line, partner, busy, error, onNotMet }: LineProps) {
  const { handover: h, pricePerUnit, description, message } = line
  const buying = h.side === 'buyer'
  const what = `${formatNumber(h.quantity)} ${h.itemName}`
  const [asking, setAsking] = useState(false)
  return (
    <li className="grid gap-1 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="tabular flex min-w-0 flex-wrap items-baseline gap-x-1.5 wrap-anywhere">
          <Tag tone={buying ? 'outline' : 'accent'}>{buying ? 'You buy' : 'You sell'}</Tag>
          <span>
            <strong className="font-semibold">{formatNumber(h.quantity)}</strong> <Typed>{h.itemName}</Typed> ×
          </span>
          <Amount value={pricePerUnit} />
          <span>=</span>
          <Amount value={h.total} size="medium" />
        </p>
        {h.canSay && !asking && (
          <Button
            size="sm"
            variant="outline"
            disabled={busy}
            aria-label={`It did not happen: ${what}`}
            onClick={() => (h.theirWord === 'met' ? setAsking(true) : onNotMet(line))}
          >
            It did not happen
          </Button>
        )}
      </div>
      <p className="text-muted-foreground text-sm">
        By <time dateTime={h.agreedBy}>{formatDayAndTime(h.agreedBy)}</time>
        {state(line, partner)}
      </p>
      {h.canSay && asking && (
        <ContradictQuestion
          name={partner}
          what={what}
          busy={busy}
          onSure={() => onNotMet(line)}
          onCancel={() => setAsking(false)}
        />
      )}
      {h.canTakeBack && (
        <p className="text-sm">
          <PageLink to="/trades?state=disputed" className="underline underline-offset-2">
            Agree or take your word back
          </PageLink>
        </p>
      )}
      {description && <Said by={buying ? 'Your request' : 'Their request'} text={description} />}
      {message && <Said by={buying ? 'Their offer' : 'Your offer'} text={message} />}
      {error && (
        <p role="alert" className="text-destructive text-sm">
          {error}
        </p>
      )}
    </li>
  )
}

function Said({ by, text }: { by: string; text: string }) {
  return (
    <p className="line-clamp-3 text-muted-foreground text-sm wrap-anywhere">
      {by}: <Typed>{text}</Typed>
    </p>
  )
}

const words = { met: 'that you met', not_met: 'that it did not happen' }

function state({ handover: h }: SlipLine, partner: string) {
  if (h.state === 'disputed')
    return ` · disputed: ${h.lookedAt === null ? 'it waits for a moderator' : 'a moderator is looking at it'}`
  if (h.yourWord) return ` · you said ${words[h.yourWord]}`
  if (!h.theirWord) return null
  return (
    <>
      {' · '}
      <Typed>{partner}</Typed> says {words[h.theirWord]}
    </>
  )
}
