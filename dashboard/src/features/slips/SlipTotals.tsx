import type { Slip } from '@/api/slips'
import { Amount } from '@/components/coins'
import { Typed } from '@/components/typed'
import { formatNumber } from '@/lib/format'
import { rich, t } from '@/lib/texts'

/** Who brings what, for all that the user has not answered yet. */
export function SlipTotals({ slip, partner }: { slip: Slip; partner: string }) {
  const net = BigInt(slip.net)
  const both = slip.pay !== '0' && slip.earn !== '0'
  return (
    <section aria-labelledby="who-brings" className="grid gap-3">
      <h2 id="who-brings" className="text-lg">
        {t('slips_who_brings')}
      </h2>
      <div className="grid gap-3 sm:grid-cols-2">
        <Side title={t('slips_you_bring')} items={slip.bring} coins={slip.pay} />
        <Side
          title={rich('slips_partner_brings', { partner: <Typed>{partner}</Typed> })}
          items={slip.get}
          coins={slip.earn}
        />
      </div>
      {both && (
        <p className="text-sm">
          {net === 0n
            ? t('slips_even')
            : net > 0n
              ? rich('slips_net_pay', { amount: <Amount value={net} size="medium" /> })
              : rich('slips_net_get', { amount: <Amount value={-net} size="medium" /> })}
        </p>
      )}
    </section>
  )
}

type SideProps = { title: React.ReactNode; items: Slip['bring']; coins: string }

function Side({ title, items, coins }: SideProps) {
  return (
    <div className="rounded-lg border bg-card p-4">
      <h3 className="mb-1.5 text-muted-foreground text-sm wrap-anywhere">{title}</h3>
      <ul className="grid gap-1">
        {items.map((item) => (
          <li key={item.itemName} className="tabular wrap-anywhere">
            <strong className="font-semibold">{formatNumber(item.quantity)}</strong> × <Typed>{item.itemName}</Typed>
          </li>
        ))}
        {coins !== '0' && (
          <li>
            <Amount value={coins} size="medium" />
          </li>
        )}
        {items.length === 0 && coins === '0' && <li className="text-muted-foreground">{t('slips_nothing')}</li>}
      </ul>
    </div>
  )
}
