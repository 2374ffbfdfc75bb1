import { type FormEvent, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { saveStock } from '@/api/stock'
import type { Stock, StockDraft } from '@/api/types'
import { CoinInput } from '@/components/coin-input'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { PriceQuestion } from '@/components/price-question'
import { SwitchField } from '@/components/switch-field'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { usePriceQuestion } from '@/hooks/usePriceQuestion'
import { clampText } from '@/lib/clamp'
import { parseCopper, printCopper } from '@/lib/copper'
import { limits } from '@/lib/market'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { UntilField } from './UntilField'

type Props = { entry: Stock; onSaved: (stock: Stock[]) => void; onCancel: () => void }

/** Changes what the user has of one item. */
export function EditStock({ entry, onSaved, onCancel }: Props) {
  const [quantity, setQuantity] = useState(entry.quantity > 0 ? String(entry.quantity) : '')
  const [price, setPrice] = useState(printCopper(BigInt(entry.price)))
  const [note, setNote] = useState(entry.note)
  const [shown, setShown] = useState(entry.public)
  const [until, setUntil] = useState(entry.until)
  const [unasked, setUnasked] = useState((entry.sellsDaily ?? 0) > 0)
  const [daily, setDaily] = useState(entry.sellsDaily ? String(entry.sellsDaily) : '')
  const lists = isOn('listings')
  const crosses = isOn('crossing') && shown
  const asked = usePriceQuestion()
  const [left, setLeft] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const writes = useIdempotencyKey<StockDraft[]>()
  const { copper, error: badPrice } = parseCopper(price)
  const wrong = (error instanceof ApiError && error.problem.errors) || {}

  function submit(event: FormEvent) {
    event.preventDefault()
    void save()
  }

  async function save(confirmPrice = false) {
    setLeft(true)
    if (busy || badPrice) return
    setBusy(true)
    setError(undefined)
    asked.drop()
    const draft = { itemName: entry.itemName, quantity: Number(quantity) || 0, price: Number(copper ?? 0n), note }
    try {
      const sellsDaily = crosses && unasked ? Number(daily || quantity) || 0 : 0
      const shownUntil = lists && shown && until
      const entries = [
        { ...draft, public: shown, ...(shownUntil && { until: shownUntil }), ...(sellsDaily > 0 && { sellsDaily }) },
      ]
      onSaved(await writes.once(entries, (stock, key) => saveStock(stock, key, confirmPrice)))
    } catch (failure) {
      if (!asked.ask(failure)) setError(failure)
      setBusy(false)
    }
  }

  return (
    <form
      aria-label={t('stock_change_item', { item: entry.itemName })}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      className="grid gap-4 py-3"
    >
      <p dir="auto" className="font-medium text-sm">
        {entry.itemName}
      </p>
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label={t('stock_how_many')} error={wrong.quantity}>
          {(field) => (
            <Input
              {...field}
              autoFocus
              inputMode="numeric"
              value={quantity}
              onChange={(event) => setQuantity(clampText(event.target.value, 0, limits.quantity))}
            />
          )}
        </Field>
        <CoinInput
          label={lists && shown ? t('listings_price_each') : t('stock_least')}
          value={price}
          error={left ? (badPrice ?? wrong.price) : undefined}
          onBlur={() => setLeft(true)}
          onValue={(text) => {
            setPrice(text)
            setLeft(false)
          }}
        />
      </div>
      <Field label={t('stock_note')} optional error={wrong.note} help={t('stock_note_help')}>
        {(field) => (
          <Input
            {...field}
            autoComplete="off"
            maxLength={limits.stockNote}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <SwitchField label={lists ? t('listings_list_it') : t('stock_show_buyers')} on={shown} onSwitch={setShown} />
      {lists && shown && <UntilField until={until} error={wrong.until} onUntil={setUntil} />}
      {crosses && (
        <SwitchField
          label={t('listings_unasked')}
          help={t('listings_unasked_help')}
          on={unasked}
          onSwitch={setUnasked}
        />
      )}
      {crosses && unasked && (
        <Field label={t('listings_daily')} error={wrong.sellsDaily}>
          {(field) => (
            <Input
              {...field}
              inputMode="numeric"
              value={daily}
              placeholder={quantity}
              onChange={(event) => setDaily(clampText(event.target.value, 0, limits.quantity))}
            />
          )}
        </Field>
      )}
      <PriceQuestion
        question={asked.question}
        onUse={(meant) => {
          setPrice(meant)
          asked.drop()
        }}
        onKeep={() => void save(true)}
      />
      {error !== undefined && Object.keys(wrong).length === 0 && (
        <Notice>{messageFor(error, t('common_save_failed'))}</Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" className="pointer-coarse:h-11" disabled={busy}>
          {busy ? t('common_saving') : t('common_save')}
        </Button>
        <Button variant="ghost" className="pointer-coarse:h-11" onClick={onCancel}>
          {t('common_cancel')}
        </Button>
      </div>
    </form>
  )
}
