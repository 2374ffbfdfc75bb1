import { type ReactNode, useState } from 'react'
import type { Slip, SlipLine } from '@/api/slips'
import { Amount } from '@/components/coins'
import { ContradictQuestion } from '@/components/contradict-question'
import { PageLink } from '@/components/page-link'
import { Tag } from '@/components/tag'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { formatDayAndTime, formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'

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
        {t('slips_open_trades')}
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
      {slip.more && <p className="text-muted-foreground text-sm">{t('slips_more')}</p>}
    </section>
  )
}

type LineProps = Omit<Props, 'slip' | 'errors'> & { line: SlipLine; error: string | undefined }

function Line({ line, partner, busy, error, onNotMet }: LineProps) {
  const { handover: h, pricePerUnit, description, message } = line
  const buying = h.side === 'buyer'
  const what = `${formatNumber(h.quantity)} ${h.itemName}`
  const [asking, setAsking] = useState(false)
  const said = state(line, partner)
  return (
    <li className="grid gap-1 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="tabular flex min-w-0 flex-wrap items-baseline gap-x-1.5 wrap-anywhere">
          <Tag tone={buying ? 'outline' : 'accent'}>{buying ? t('slips_you_buy') : t('slips_you_sell')}</Tag>
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
            aria-label={t('slips_not_met_for', { what })}
            onClick={() => (h.theirWord === 'met' ? setAsking(true) : onNotMet(line))}
          >
            {t('common_not_met')}
          </Button>
        )}
      </div>
      <p className="text-muted-foreground text-sm">
        {rich('slips_by', { time: <time dateTime={h.agreedBy}>{formatDayAndTime(h.agreedBy)}</time> })}
        {said && <> · {said}</>}
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
            {t('slips_agree_or_take_back')}
          </PageLink>
        </p>
      )}
      {description && (
        <Said>
          {buying
            ? rich('slips_your_request', { text: <Typed>{description}</Typed> })
            : rich('slips_their_request', { text: <Typed>{description}</Typed> })}
        </Said>
      )}
      {message && (
        <Said>
          {buying
            ? rich('slips_their_offer', { text: <Typed>{message}</Typed> })
            : rich('slips_your_offer', { text: <Typed>{message}</Typed> })}
        </Said>
      )}
      {error && (
        <p role="alert" className="text-destructive text-sm">
          {error}
        </p>
      )}
    </li>
  )
}

function Said({ children }: { children: ReactNode }) {
  return <p className="line-clamp-3 text-muted-foreground text-sm wrap-anywhere">{children}</p>
}

function state({ handover: h }: SlipLine, partner: string) {
  if (h.state === 'disputed') return h.lookedAt === null ? t('slips_disputed_waits') : t('slips_disputed_looked_at')
  if (h.yourWord) return t('slips_you_said', { word: h.yourWord })
  return h.theirWord && rich('slips_they_say', { partner: <Typed>{partner}</Typed>, word: h.theirWord })
}
