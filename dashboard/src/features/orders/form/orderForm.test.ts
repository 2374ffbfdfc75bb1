import { expect, test } from 'vitest'
import { order } from '@/test/server'
import { blankOrder, editForm, newOrderForm, valuesOf } from './orderForm'

const fields = Object.keys(blankOrder) as (keyof typeof blankOrder)[]

/** The first message of each field, for a new request. */
function errorsOf(values: typeof blankOrder): Record<string, string> {
  const { error } = newOrderForm.safeParse(values)
  return Object.fromEntries((error?.issues ?? []).toReversed().map(({ path, message }) => [path.join('.'), message]))
}

test("a request's fields are the same after an edit that changes none", () => {
  const shown = order({ signedInOnly: true })
  const sent = Object.fromEntries(fields.map((field) => [field, shown[field]]))
  expect(editForm(shown).parse(valuesOf(shown))).toEqual(sent)
})

test.each(fields.filter((field) => field !== 'signedInOnly' && field !== 'noPrograms'))('%s has a limit', (field) => {
  const values = valuesOf(order())
  expect(errorsOf(values)).toEqual({})
  expect(errorsOf({ ...values, [field]: 'x'.repeat(5000) })).toHaveProperty(field)
})

test("typed values are sent in the API's format", () => {
  const typed = { ...blankOrder, itemName: ' Tin Ore ', quantity: '200', maxPricePerUnit: '15S', buyerContact: 'maple' }
  expect(newOrderForm.parse(typed)).toMatchObject({
    itemName: 'Tin Ore',
    quantity: 200,
    maxPricePerUnit: 15_000,
    levelRequirement: null,
    ign: null,
    signedInOnly: false,
  })
})

test('an amount with an error has only that', () => {
  const typed = { ...valuesOf(order()), maxPricePerUnit: '500' }
  expect(errorsOf(typed)).toEqual({ maxPricePerUnit: 'Invalid format. Use: 1p 500g 250s 100c' })
})

test('suspicious phrases are named once nothing else is wrong, in an edit at once', () => {
  const spam = { ...valuesOf(order()), description: 'free money' }
  const suspicious = 'Your post contains suspicious content. Please revise.'
  expect(errorsOf(spam)).toEqual({ description: suspicious })
  expect(errorsOf({ ...spam, quantity: '0' })).toEqual({ quantity: 'Quantity must be greater than 0' })
  const { error } = editForm(order()).safeParse({ ...spam, quantity: '0', maxPricePerUnit: 'x' })
  expect(error?.issues.map(({ path }) => path[0])).toEqual(['quantity', 'maxPricePerUnit', 'description'])
})
