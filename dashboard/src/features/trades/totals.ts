import type { Slip, SlipLine } from '@/api/slips'

export type Totals = { bring: Slip['bring']; get: Slip['bring']; pay: bigint; earn: bigint }

/** What both bring when they meet for some trades. */
export function totalsOf(lines: SlipLine[]): Totals {
  const totals: Totals = { bring: [], get: [], pay: 0n, earn: 0n }
  for (const { handover: h } of lines) {
    const buying = h.side === 'buyer'
    if (buying) totals.pay += BigInt(h.total)
    else totals.earn += BigInt(h.total)
    const items = buying ? totals.get : totals.bring
    const same = items.find((i) => i.itemName.toLowerCase() === h.itemName.toLowerCase())
    if (same) same.quantity += h.quantity
    else items.push({ itemName: h.itemName, quantity: h.quantity })
  }
  return totals
}
