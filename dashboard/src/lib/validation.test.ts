import { describe, expect, test } from 'vitest'
import spellings from '../../../core/testdata/suspicion.json'
import vectors from '../../../core/testdata/validation.json'
import { checkOffer, checkOrder, checkSale, checkSuspicion, type OfferFields, type OrderFields } from './validation'

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
      expect(Object.keys(checkSuspicion({ itemName, description }))).toEqual(refused)
    },
  )

  test.each(spellings.map(({ text, refused }) => [text, refused] as const))(
    'core and page agree on %j: %s',
    (description, refused) => {
      expect(Object.keys(checkSuspicion({ itemName: 'Iron Ore', description }))).toEqual(refused ? ['description'] : [])
    },
  )

  test('an edit is refused only for what it adds', () => {
    const before = { itemName: 'Urgent Ore', description: '' }
    expect(checkSuspicion({ itemName: 'Urgent Iron Ore', description: '' }, before)).toEqual({})
    expect(checkSuspicion({ itemName: 'Urgent Ore', description: 'free money' }, before)).toHaveProperty('description')
  })

  test.each(named(vectors.offer.cases))('an offer: %s', (_, c) => {
    expect(checkOffer(draftOf<OfferFields>(vectors.offer.base, c), vectors.offer.total)).toEqual(c.errors)
  })

  test.each(named(vectors.sale.cases))('a sale: %s', (_, c) => {
    expect(checkSale(draftOf(vectors.sale.base, c), vectors.sale.remaining)).toEqual(c.errors)
  })
})
