import { useQuery } from '@tanstack/react-query'
import { savedQuery } from '@/api/searches'
import { alertStock, snoozeStock, stockQuery, stopStock } from '@/api/stock'
import type { Notice, Stock, Watch } from '@/api/types'
import { pauseWatch, snoozeWatch } from '@/api/watches'
import { formatDayAndTime } from '@/lib/format'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'

/** What caused an alert, as it is now: a saved search, or stock. */
type AlertSource = {
  label: string
  /** Why it alerts to nothing at present; empty while it does. */
  quiet: string
  /** Turned off, not only quiet for a while. */
  off: boolean
  /** Nothing is left that could be turned off. */
  gone: boolean
  stopped: string
  resumed: string
  snooze: (until: 'hour' | 'tomorrow', key: string) => Promise<Watch | Stock>
  stop: (key: string) => Promise<Watch | Stock>
  resume: (id: number, key: string) => Promise<Watch | Stock>
  /** The saved search or the stock; undefined while it is not known. */
  id?: number
}

export function useAlertSource({ id, watchId = null, itemName, counterpart }: Notice): AlertSource {
  const saved = useQuery({ ...savedQuery, enabled: watchId !== null && isOn('watches') }).data
  const stock = useQuery({ ...stockQuery, enabled: watchId === null && isOn('stock') }).data
  if (watchId !== null) {
    const watch = saved?.find((one) => one.watch && one.id === watchId)
    const name = watch?.name ?? counterpart.name
    return {
      label: t('notices_your_watch', { name }),
      quiet: quiet(watch?.bell === false, watch?.snoozedUntil),
      off: watch?.bell === false,
      gone: saved !== undefined && !watch,
      stopped: t('notices_watch_stopped', { name }),
      resumed: t('notices_watch_resumed', { name }),
      snooze: (until, key) => snoozeWatch(watchId, until, key),
      stop: (key) => pauseWatch(watchId, true, key),
      resume: (watch, key) => pauseWatch(watch, false, key),
      id: watchId,
    }
  }
  const entry = stock?.find((one) => one.itemName.toLowerCase() === itemName.toLowerCase())
  return {
    label: t('notices_in_your_stock'),
    quiet: quiet(entry?.alerts === false, entry?.snoozedUntil),
    off: entry?.alerts === false,
    gone: false, // it may be there by another name
    stopped: t('notices_stock_stopped', { item: itemName }),
    resumed: t('notices_stock_resumed', { item: itemName }),
    snooze: (until, key) => snoozeStock(id, until, key),
    stop: (key) => stopStock(id, key),
    resume: (stock, key) => alertStock(stock, true, key),
    id: entry?.id,
  }
}

function quiet(off: boolean | undefined, snoozedUntil: string | null | undefined): string {
  if (off) return t('notices_paused')
  if (snoozedUntil && Date.parse(snoozedUntil) > Date.now()) {
    return t('notices_source_quiet_until', { time: formatDayAndTime(snoozedUntil) })
  }
  return ''
}
