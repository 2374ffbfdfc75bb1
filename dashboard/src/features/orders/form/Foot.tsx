import { Amount } from '@/components/coins'
import { DialogFooter } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { Kbd, KbdGroup } from '@/components/ui/kbd'
import { parseCopper } from '@/lib/copper'
import { t } from '@/lib/texts'
import type { OrderForm } from './orderForm'

/** The sum and the button that sends, always in sight. */
export function Foot({ form, sending, children }: { form: OrderForm; sending: boolean; children: string }) {
  return (
    <DialogFooter className="flex-row items-center justify-between gap-3 sm:justify-between">
      <Total form={form} />
      <span className="flex shrink-0 items-center gap-3">
        <KbdGroup aria-hidden className="pointer-coarse:hidden max-sm:hidden">
          {t('parts_send_keys')
            .split(' ')
            .map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
        </KbdGroup>
        <Button type="submit" aria-keyshortcuts="Control+Enter" className="max-sm:h-12 sm:px-6" disabled={sending}>
          {children}
        </Button>
      </span>
    </DialogFooter>
  )
}

/** The total value, once quantity and price are valid. */
function Total({ form }: { form: OrderForm }) {
  const [quantity, price] = form.watch(['quantity', 'maxPricePerUnit'])
  const { copper } = parseCopper(price)
  const count = /^\d{1,7}$/.test(quantity) ? BigInt(quantity) : 0n
  const total = (copper ?? 0n) * count
  return (
    <output className="min-w-0 text-sm">
      <span className="block text-muted-foreground">{t('orders_pay_at_most')}</span>{' '}
      <span className="block min-h-6">
        {total > 0n ? <Amount value={total} size="medium" /> : <span className="text-muted-foreground">-</span>}
      </span>
    </output>
  )
}
