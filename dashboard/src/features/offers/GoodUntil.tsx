import type { SentOffer } from '@/api/types'
import { formatDayAndTime } from '@/lib/format'

/** Until when an offer stands, or stood when it lapsed. Shows nothing where its seller didn't say, or it ended otherwise. */
export function GoodUntil({ offer: { goodUntil, state } }: { offer: SentOffer }) {
  if (!goodUntil || (state !== 'open' && state !== 'lapsed')) return null
  return (
    <time dateTime={goodUntil}>
      {state === 'open' ? 'good until' : 'was good until'} {formatDayAndTime(goodUntil)}
    </time>
  )
}
