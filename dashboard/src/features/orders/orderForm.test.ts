import { expect, test } from 'vitest'
import { order } from '@/test/server'
import { blankOrder, checkValues, draftOf, valuesOf } from './orderForm'

const fields = Object.keys(blankOrder) as (keyof typeof blankOrder)[]

test("a request's fields are the same after an edit that changes none", () => {
  const shown = order({ signedInOnly: true })
  expect(draftOf(valuesOf(shown))).toEqual(Object.fromEntries(fields.map((field) => [field, shown[field]])))
})

test.each(fields.filter((field) => field !== 'signedInOnly'))('%s has a limit', (field) => {
  const values = valuesOf(order())
  expect(checkValues(values)).toEqual({})
  expect(checkValues({ ...values, [field]: 'x'.repeat(5000) })).toHaveProperty(field)
})
