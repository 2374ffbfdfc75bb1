import { t } from './texts'

/** The ends of days that a user can name, in their own time zone. */
export const times = ['', 'today', 'tomorrow', 'weekend', 'week', 'date'] as const
export type Time = (typeof times)[number]

export const timeNames: Record<Exclude<Time, ''>, string> = {
  today: t('lib_today'),
  tomorrow: t('lib_tomorrow'),
  weekend: t('lib_weekend'),
  week: t('lib_week'),
  date: t('lib_date'),
}

/** The time that a name means, counted from now; none for the standard, and for a date that is not typed yet. */
export function timeOf(name: Time, date: string, now = new Date()): string | undefined {
  const endOf = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 23, 59, 0).toISOString()
  switch (name) {
    case 'today':
      return endOf(0)
    case 'tomorrow':
      return endOf(1)
    case 'weekend':
      return endOf((7 - now.getDay()) % 7)
    case 'week':
      return new Date(now.getTime() + 7 * 24 * 3600 * 1000).toISOString()
    case 'date': {
      const [year, month, day] = date.split('-').map(Number)
      return year && month && day ? new Date(year, month - 1, day, 23, 59, 0).toISOString() : undefined
    }
    default:
      return undefined
  }
}
