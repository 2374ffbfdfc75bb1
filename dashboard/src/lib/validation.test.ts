import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import spellings from '../../../core/testdata/suspicion.json'
import vectors from '../../../core/testdata/validation.json'
import { eachField } from './fields'
import { offerRules, orderRules, saleRules, unsuspiciousEdit, unsuspiciousPost } from './validation'

type Case = { name: string; set?: object; repeat?: Record<string, number | undefined>; errors: object }

/** A case replaces some fields of the base draft; "repeat" fills a field with so many letters. */
function draftOf(base: object, { set, repeat }: Case): object {
  const filled = Object.entries(repeat ?? {}).map(([field, count]) => [field, 'a'.repeat(count ?? 0)])
  return { ...base, ...set, ...Object.fromEntries(filled) }
}

const named = (cases: Case[]) => cases.map((c) => [c.name, c] as const)

/** The first message of each field. */
function errorsOf(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  const { error } = schema.safeParse(values)
  return Object.fromEntries((error?.issues ?? []).toReversed().map(({ path, message }) => [path.join('.'), message]))
}

const described = z.object({ itemName: z.string(), description: z.string() })
const post = described.check(unsuspiciousPost)

describe('forms follow the vectors shared with the server', () => {
  test.each(named(vectors.order.cases))('a request: %s', (_, c) => {
    expect(errorsOf(z.object(orderRules), draftOf({ ...eachField(() => ''), ...vectors.order.base }, c))).toEqual(
      c.errors,
    )
  })

  test.each(vectors.spam.map((v) => [v.itemName, v.description, v.refused] as const))(
    'spam in %j, %j: %s',
    (itemName, description, refused) => {
      expect(Object.keys(errorsOf(post, { itemName, description })).sort()).toEqual([...refused].sort())
    },
  )

  test.each(spellings.map(({ text, refused }) => [text, refused] as const))(
    'core and page agree on %j: %s',
    (description, refused) => {
      expect(Object.keys(errorsOf(post, { itemName: 'Iron Ore', description }))).toEqual(refused ? ['description'] : [])
    },
  )

  test('an edit is refused only for the content it adds', () => {
    const edit = described.check(unsuspiciousEdit({ itemName: 'Urgent Ore', description: '' }))
    expect(errorsOf(edit, { itemName: 'Urgent Iron Ore', description: '' })).toEqual({})
    expect(errorsOf(edit, { itemName: 'Urgent Ore', description: 'free money' })).toHaveProperty('description')
  })

  test.each(named(vectors.offer.cases))('an offer: %s', (_, c) => {
    expect(errorsOf(z.object(offerRules(vectors.offer.total)), draftOf(vectors.offer.base, c))).toEqual(c.errors)
  })

  test.each(named(vectors.sale.cases))('a sale: %s', (_, c) => {
    const values = { ...vectors.sale.base, ...draftOf({}, c) }
    expect(errorsOf(z.object(saleRules(vectors.sale.remaining)), values)).toEqual(c.errors)
  })
})
