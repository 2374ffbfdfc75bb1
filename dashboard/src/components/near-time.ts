import { daysUntil, formatDayAndTime, relativeDay } from '@/lib/format'
import { locale } from '@/lib/locale'

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const ofWeek = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit' })

/** A time as one would say it: "today 8:00 PM", "Mon, 8:00 PM", and with its date from a week on. */
export function nearTime(iso: string): string {
  const days = Math.abs(daysUntil(iso))
  if (days < 2) return `${relativeDay(iso)} ${clock.format(new Date(iso))}`
  return days < 7 ? ofWeek.format(new Date(iso)) : formatDayAndTime(iso)
}
