import { Check, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import { readStockLines, saveStock } from '@/api/stock'
import type { Stock, StockDraft, StockLine } from '@/api/types'
import { Amount } from '@/components/coins'
import { FixLine } from '@/components/fix-line'
import { ItemLine } from '@/components/item-line'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { PriceQuestion } from '@/components/price-question'
import { SwitchField } from '@/components/switch-field'
import { Button } from '@/components/ui/button'
import { Textarea } from '@/components/ui/textarea'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { usePriceQuestion } from '@/hooks/usePriceQuestion'
import { replaceLine } from '@/lib/lines'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

type Read = { text: string; lines: StockLine[] }

/** Adds to the user's stock by lines. Each is shown as it is understood, or why it is not, before anything is saved. */
export function AddStock({ stock, onSaved }: { stock: readonly Stock[]; onSaved: (stock: Stock[]) => void }) {
  const [text, setText] = useState('')
  const [shown, setShown] = useState(true)
  const [read, setRead] = useState<Read | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const price = usePriceQuestion()
  const input = useRef<HTMLTextAreaElement>(null)
  const reads = useIdempotencyKey<string>()
  const writes = useIdempotencyKey<StockDraft[]>()
  const current = read?.text === text ? read : null
  const understood = current?.lines.filter(({ why }) => why === null) ?? []

  async function during(work: () => Promise<void>, failed: string) {
    setBusy(true)
    setProblem(undefined)
    price.drop()
    try {
      await work()
    } catch (failure) {
      if (!price.ask(failure)) setProblem(messageFor(failure, failed))
    } finally {
      setBusy(false)
    }
  }

  const check = (typed = text) =>
    during(
      async () => setRead({ text: typed, lines: await reads.once(typed, readStockLines) }),
      t('stock_failed_to_check'),
    )

  /** Takes a line as it was probably meant, and checks again. */
  function fix(number: number, line: string) {
    const fixed = replaceLine(text, number, line)
    setText(fixed)
    void check(fixed)
  }

  const save = (confirmPrice = false) =>
    during(async () => {
      const drafts = understood.map(({ itemName, quantity, price }) => {
        const had = stock.find((entry) => entry.itemName === itemName) // a line has none of these
        return {
          ...{ itemName, quantity, price, public: shown },
          ...(had?.note && { note: had.note }),
          ...(shown && had?.sellsDaily !== undefined && { sellsDaily: had.sellsDaily }),
        }
      })
      const saved = await writes.once(drafts, (stock, key) => saveStock(stock, key, confirmPrice))
      onSaved(saved)
      const available = saved.filter(({ quantity }) => quantity > 0).length
      showToast(t('stock_saved', { count: available }))
      const missed = current?.lines.filter(({ why }) => why !== null) ?? []
      setText(missed.map((line) => line.text).join('\n'))
      setRead(null)
      input.current?.focus()
    }, t('common_save_failed'))

  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void (understood.length > 0 ? save() : check())
      }}
    >
      <ItemLine area={input} text={text} onText={setText} line={stockLine} />
      <Field label={t('stock_add')} help={isOn('listings') && shown ? t('listings_add_help') : t('stock_add_help')}>
        {(field) => (
          <Textarea
            {...field}
            ref={input}
            rows={4}
            value={text}
            placeholder={t('stock_example')}
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {current && (
        <ul aria-label={t('stock_understood')} className="grid gap-1 text-sm">
          {current.lines.map((line) => (
            <Line key={line.number} line={line} listed={isOn('listings') && shown} onFix={fix} />
          ))}
          {current.lines.length === 0 && <li className="text-muted-foreground">{t('stock_nothing_typed')}</li>}
        </ul>
      )}
      <PriceQuestion question={price.question} onKeep={() => void save(true)} />
      {problem && <Notice>{problem}</Notice>}
      <SwitchField
        label={isOn('listings') ? t('listings_list_it') : t('stock_show_buyers')}
        help={isOn('listings') ? t('listings_list_it_help') : t('stock_show_buyers_help')}
        on={shown}
        onSwitch={setShown}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={busy || text.trim() === ''}>
          {understood.length > 0 ? t('stock_save_items', { count: understood.length }) : t('stock_check')}
        </Button>
      </div>
    </form>
  )
}

/** The name is followed by how many and the price. */
const stockLine = (name: string) => ({ before: `${name} `, selected: '', after: '' })

type LineProps = { line: StockLine; listed: boolean; onFix: (number: number, line: string) => void }

function Line({ line, listed, onFix }: LineProps) {
  const understood = {
    quantity: line.quantity,
    item: <bdi>{line.itemName}</bdi>,
    price: <Amount value={line.price} />,
  }
  return (
    <li className="flex items-start gap-2">
      {line.why === null ? (
        <>
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
          <span>{listed ? rich('listings_line', understood) : rich('stock_line', understood)}</span>
        </>
      ) : (
        <>
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-destructive" />
          <span>
            {rich('stock_line_wrong', {
              line: line.number,
              text: <bdi>{line.text}</bdi>,
              why: line.why,
              fix: line.fix && <FixLine fix={line.fix} onUse={(fixed) => onFix(line.number, fixed)} />,
            })}
          </span>
        </>
      )}
    </li>
  )
}
