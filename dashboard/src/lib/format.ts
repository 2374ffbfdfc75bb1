import { formatNumber, language, locale } from './locale'
import { t } from './texts'

export { formatNumber }

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const dayAndTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

const msPerDay = 86_400_000

export const formatDay = (iso: string): string => day.format(new Date(iso))
export const formatWeekday = (iso: string): string => new Date(iso).toLocaleDateString(locale, { weekday: 'long' })
export const formatMonth = (iso: string): string => month.format(new Date(iso))
export const formatDayAndTime = (iso: string): string => dayAndTime.format(new Date(iso))

/** Returns the number of midnights between a time and now, in the user's time zone. */
function daysBetween(iso: string, now: Date): number {
  const midnight = (d: Date) => Date.UTC(d.getFullYear(), d.getMonth(), d.getDate())
  return Math.round((midnight(new Date(iso)) - midnight(now)) / msPerDay)
}

/** Returns the number of days until a time, in the user's time zone. */
export const daysUntil = (iso: string): number => daysBetween(iso, new Date())

/** A day relative to today: "today", "yesterday", "3 days ago", "in 12 days". */
export function relativeDay(iso: string, now = new Date()): string {
  return relative.format(daysBetween(iso, now), 'day')
}

/** A time relative to now, precise within a day: "5 minutes ago", later "yesterday". */
export function relativeTime(iso: string, now = new Date()): string {
  const minutes = Math.round((new Date(iso).getTime() - now.getTime()) / 60_000)
  if (Math.abs(minutes) < 1) return t('lib_just_now')
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')
  if (Math.abs(minutes) < 12 * 60) return relative.format(Math.round(minutes / 60), 'hour')
  const days = daysBetween(iso, now)
  return days === 0 ? relative.format(Math.round(minutes / 60), 'hour') : relative.format(days, 'day')
}

const units = [
  ['y', 365 * msPerDay],
  ['mo', 30 * msPerDay],
  ['d', msPerDay],
  ['h', 3_600_000],
  ['m', 60_000],
] as const

/** The length of time between a time and now, for a narrow column: "26m", "2h", "300d", "14mo". */
export function shortSpan(iso: string, now = new Date()): string {
  const ms = Math.abs(new Date(iso).getTime() - now.getTime())
  // Two of the next larger unit are needed, so that 45 days are not "1mo".
  const unit = units.find(([name, size]) => ms >= (name === 'y' || name === 'mo' ? 2 : 1) * size)
  return t(
    'lib_short_span',
    unit ? { unit: unit[0], count: String(Math.floor(ms / unit[1])) } : { unit: '', count: '' },
  )
}

type Total = { total: number; totalIsExact?: boolean }

/** A total as far as it was counted: "250", "1,000+". */
export const formatTotal = ({ total, totalIsExact = true }: Total): string =>
  totalIsExact ? formatNumber(total) : `${formatNumber(total)}+`

const and = new Intl.ListFormat(locale, { type: 'conjunction' })
const or = new Intl.ListFormat(locale, { type: 'disjunction' })

/** "Miner", "Miner and Chef", "Miner, Chef, and Fisher". */
export const joinAnd = (names: readonly string[]): string => and.format(names)
/** "Miner", "Miner or Chef". */
export const joinOr = (names: readonly string[]): string => or.format(names)
