import { describe, expect, test } from 'vitest'
import vectors from '../../../core/testdata/validation.json'
import { checkOffer, checkOrder, checkSale, isSuspicious, type OfferFields, type OrderFields } from './validation'

type Case = { name: string; set?: object; repeat?: Record<string, number | undefined>; errors: object }

/** A case replaces some fields of the base draft; "repeat" fills a field with so many letters. */
function draftOf<T>(base: object, { set, repeat }: Case): T {
  const filled = Object.entries(repeat ?? {}).map(([field, count]) => [field, 'a'.repeat(count ?? 0)])
  return { ...base, ...set, ...Object.fromEntries(filled) } as T
}

const named = (cases: Case[]) => cases.map((c) => [c.name, c] as const)

describe('forms follow the vectors shared with the server', () => {
  test.each(named(vectors.order.cases))('a request: %s', (_, c) => {
    const draft = draftOf<Omit<OrderFields, 'maxPricePerUnit'> & { maxPricePerUnit: number }>(vectors.order.base, c)
    expect(checkOrder({ ...draft, maxPricePerUnit: BigInt(draft.maxPricePerUnit) })).toEqual(c.errors)
  })

  test.each(vectors.spam.map((v) => [v.itemName, v.description, v.refused] as const))(
    'spam in %j, %j: %s',
    (itemName, description, refused) => {
      expect(isSuspicious(itemName, description)).toBe(refused)
    },
  )

  test.each(named(vectors.offer.cases))('an offer: %s', (_, c) => {
    expect(checkOffer(draftOf<OfferFields>(vectors.offer.base, c), vectors.offer.total)).toEqual(c.errors)
  })

  test.each(named(vectors.sale.cases))('a sale: %s', (_, c) => {
    expect(checkSale(draftOf(vectors.sale.base, c), vectors.sale.remaining)).toEqual(c.errors)
  })
})
