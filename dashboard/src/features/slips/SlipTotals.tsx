import type { Slip } from '@/api/slips'
import { Amount } from '@/components/coins'
import { Typed } from '@/components/typed'
import { formatNumber } from '@/lib/format'

/** Who brings what, for all that the user has not answered yet. */
export function SlipTotals({ slip, partner }: { slip: Slip; partner: string }) {
  const net = BigInt(slip.net)
  const both = slip.pay !== '0' && slip.earn !== '0'
  return (
    <section aria-labelledby="who-brings" className="grid gap-3">
      <h2 id="who-brings" className="text-lg">
        Who brings what
      </h2>
      <div className="grid gap-3 sm:grid-cols-2">
        <Side name="You bring" items={slip.bring} coins={slip.pay} />
        <Side
          name={
            <>
              <Typed>{partner}</Typed> brings
            </>
          }
          items={slip.get}
          coins={slip.earn}
        />
      </div>
      {both && (
        <p className="text-sm">
          {net === 0n ? (
            'Both pay the same: no coins need to change hands.'
          ) : (
            <>
              In the end {net > 0n ? 'you pay' : 'you get'} <Amount value={net < 0n ? -net : net} size="medium" />
            </>
          )}
        </p>
      )}
    </section>
  )
}

type SideProps = { name: React.ReactNode; items: Slip['bring']; coins: string }

function Side({ name, items, coins }: SideProps) {
  return (
    <div className="rounded-lg border bg-card p-4">
      <h3 className="mb-1.5 text-muted-foreground text-sm wrap-anywhere">{name}</h3>
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
        {items.length === 0 && coins === '0' && <li className="text-muted-foreground">Nothing</li>}
      </ul>
    </div>
  )
}
