import { formatDayAndTime, relativeDay } from '@/lib/format'

/** A day relative to today, with the exact time as its tooltip. */
export function Day({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatDayAndTime(iso)}>
      {relativeDay(iso)}
    </time>
  )
}
