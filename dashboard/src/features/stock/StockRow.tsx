import { Bell, BellOff, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Stock } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { Amount } from '@/components/coins'
import { Button } from '@/components/ui/button'
import { formatDayAndTime, formatNumber, relativeDay } from '@/lib/format'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { EditStock } from './EditStock'

type Props = {
  entry: Stock
  busy: boolean
  onAlert: (on: boolean) => void
  onRemove: () => void
  onSaved: (stock: Stock[]) => void
  onList: () => void
}

/** What the user has of one item, and a form to change it. */
export function StockRow({ entry, busy, onAlert, onRemove, onSaved, onList }: Props) {
  const [editing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !editing) edit.current?.focus()
    wasEditing.current = editing
  }, [editing])
  const snoozed = entry.snoozedUntil !== null && Date.parse(entry.snoozedUntil) > Date.now()
  const alerts = entry.alerts && !snoozed
  if (editing) {
    return (
      <li>
        <EditStock
          entry={entry}
          onSaved={(stock) => {
            onSaved(stock)
            setEditing(false)
          }}
          onCancel={() => setEditing(false)}
        />
      </li>
    )
  }
  const said = [
    entry.quantity === 0 && t('stock_none_left'),
    entry.public ? (isOn('listings') ? t('listings_stock_row') : t('stock_shown')) : t('stock_not_shown'),
    entry.public && entry.until && t('listings_until_time', { time: formatDayAndTime(entry.until) }),
    entry.sellsDaily && t('listings_daily_row', { quantity: entry.sellsDaily }),
    !entry.alerts && t('stock_no_alerts'),
    snoozed && entry.snoozedUntil && t('stock_quiet_until', { time: formatDayAndTime(entry.snoozedUntil) }),
  ]
  const price = <Amount value={entry.price} />
  const states = said.filter(Boolean).join(' · ')
  return (
    <li className="flex min-h-14 items-center gap-1 py-2">
      <div className="mr-2 min-w-0 flex-1">
        <p className="font-medium text-sm wrap-anywhere">
          {formatNumber(entry.quantity)} × <bdi>{entry.itemName}</bdi>
        </p>
        <p className="text-muted-foreground text-sm">
          {isOn('listings') && entry.public
            ? rich('listings_stock_price', { price, states })
            : rich('stock_row', { price, states })}
        </p>
        {entry.note && (
          <p dir="auto" className="text-muted-foreground text-sm wrap-anywhere">
            {entry.note}
          </p>
        )}
        {isOn('listings') && !entry.public && entry.quantity > 0 && entry.price > 0 && (
          <LinkButton
            disabled={busy}
            aria-label={t('stock_list_item', { item: entry.itemName })}
            onClick={() => {
              edit.current?.focus() // the button goes
              onList()
            }}
          >
            {t('listings_list_it')}
          </LinkButton>
        )}
        {entry.asked && (
          <p className="text-high-foreground text-sm">{t('stock_still_there', { day: relativeDay(entry.endsAt) })}</p>
        )}
      </div>
      <Button
        variant="ghost"
        size="icon"
        disabled={busy}
        aria-pressed={alerts}
        title={alerts ? t('stock_alerts_on') : t('stock_alerts_off')}
        aria-label={t('stock_alert_me', { item: entry.itemName })}
        onClick={() => onAlert(!alerts)}
      >
        {alerts ? <Bell /> : <BellOff className="text-muted-foreground" />}
      </Button>
      <Button
        ref={edit}
        variant="ghost"
        size="icon"
        title={t('common_change')}
        disabled={busy}
        aria-label={t('stock_change_item', { item: entry.itemName })}
        onClick={() => setEditing(true)}
      >
        <Pencil />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        title={t('common_remove')}
        disabled={busy}
        aria-label={t('stock_remove_item', { item: entry.itemName })}
        onClick={onRemove}
      >
        <Trash2 />
      </Button>
    </li>
  )
}
