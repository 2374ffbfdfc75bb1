import type { SentOffer } from '@/api/types'
import { formatDayAndTime } from '@/lib/format'
import { t } from '@/lib/texts'

/** Until when an offer stands, or stood when it lapsed. Shows nothing where its seller didn't say, or it ended otherwise. */
export function GoodUntil({ offer: { goodUntil, state } }: { offer: SentOffer }) {
  if (!goodUntil || (state !== 'open' && state !== 'lapsed')) return null
  const time = formatDayAndTime(goodUntil)
  return (
    <time dateTime={goodUntil}>
      {state === 'open' ? t('offers_good_until', { time }) : t('offers_was_good_until', { time })}
    </time>
  )
}
