// Hours of the week: 0 begins on Monday at midnight. The server has them in UTC, the reader has them in their zone.
import { locale } from '@/lib/locale'

export const inWeek = 7 * 24

/** How many hours the reader's zone is ahead of UTC. Zones with half hours are rounded. */
const ahead = () => Math.round(-new Date().getTimezoneOffset() / 60)

export const toLocal = (hour: number) => (hour + ahead() + inWeek) % inWeek
export const toUTC = (hour: number) => (hour - ahead() + inWeek) % inWeek

const monday = new Date(2026, 10, 30)
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const longWeekday = new Intl.DateTimeFormat(locale, { weekday: 'long' })
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const moment = (hour: number) =>
  new Date(monday.getFullYear(), monday.getMonth(), 30 + Math.floor(hour / 24), hour % 24)

export const days = Array.from({ length: 7 }, (_, day) => weekday.format(moment(day * 24)))
export const clockOf = (hour: number) => clock.format(moment(hour))
export const nameOf = (hour: number) => `${longWeekday.format(moment(hour))} ${clockOf(hour)}`

const span = (first: number, last: number, from: number, to: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => (first + i) * 24).flatMap((day) =>
    Array.from({ length: to - from }, (_, i) => day + from + i),
  )

/** The hours that most people mean, in the reader's zone. */
export const presets = {
  mornings: span(0, 4, 7, 12),
  afternoons: span(0, 4, 12, 17),
  evenings: span(0, 4, 17, 24),
  weekend_days: span(5, 6, 9, 17),
  weekend_evenings: span(5, 6, 17, 24),
  nights: span(0, 6, 0, 3),
}
export type Preset = keyof typeof presets
