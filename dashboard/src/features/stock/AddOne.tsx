import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { readStockLines, saveStock, stockKeys, stockQuery } from '@/api/stock'
import type { StockDraft, StockLine } from '@/api/types'
import { FixLine } from '@/components/fix-line'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { PriceQuestion } from '@/components/price-question'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { usePriceQuestion } from '@/hooks/usePriceQuestion'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { useListIt } from './useListIt'

/** Adds one line to the user's stock with one press. What isn't understood is said, and nothing is saved. */
export function AddOne() {
  const queryClient = useQueryClient()
  const { data: stock = [] } = useQuery(stockQuery)
  const [text, setText] = useState('')
  const [missed, setMissed] = useState<StockLine>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const listIt = useListIt()
  const price = usePriceQuestion()
  const reads = useIdempotencyKey<string>()
  const writes = useIdempotencyKey<StockDraft[]>()

  async function add(typed: string, confirmPrice = false) {
    if (busy || typed.trim() === '') return
    setText(typed)
    setBusy(true)
    setProblem(undefined)
    setMissed(undefined)
    price.drop()
    try {
      const [line] = await reads.once(typed, readStockLines)
      if (!line || line.why !== null) return setMissed(line)
      const { itemName, quantity } = line
      const had = stock.find((entry) => entry.itemName === itemName) // a line has no note, and lists nothing for sale
      const draft = {
        itemName,
        quantity,
        price: line.price,
        public: had?.public ?? !isOn('listings'),
        note: had?.note ?? '',
        ...(had?.sellsDaily !== undefined && { sellsDaily: had.sellsDaily }),
      }
      const saved = await writes.once([draft], (drafts, key) => saveStock(drafts, key, confirmPrice))
      queryClient.setQueryData(stockKeys.own, saved)
      void queryClient.invalidateQueries({ queryKey: keys.lists })
      void queryClient.invalidateQueries({ queryKey: keys.ready })
      const added = saved.find((entry) => entry.itemName === itemName)
      const lists = isOn('listings') && added && !added.public && added.price > 0
      showToast(
        t('stock_added', { quantity, item: itemName }),
        'info',
        lists ? { label: t('listings_list_it'), run: () => void listIt(added) } : undefined,
      )
      setText('')
    } catch (failure) {
      if (!price.ask(failure)) setProblem(messageFor(failure, t('common_save_failed')))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void add(text)
      }}
    >
      <div className="flex items-start gap-2">
        <Field label={t('stock_add_one')} error={missed?.why ?? undefined} className="min-w-0 flex-1">
          {(field) => (
            <Input
              {...field}
              value={text}
              placeholder={t('stock_example')}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          variant="outline"
          className="mt-7 pointer-coarse:h-11"
          disabled={busy || text.trim() === ''}
        >
          {t('common_add')}
        </Button>
      </div>
      {missed?.fix && <FixLine fix={missed.fix} onUse={(fixed) => void add(fixed)} />}
      <PriceQuestion question={price.question} onKeep={() => void add(text, true)} />
      {problem && <Notice>{problem}</Notice>}
    </form>
  )
}
