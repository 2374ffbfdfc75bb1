import { describe, expect, test } from 'vitest'
import vectors from '../../../core/testdata/copper.json'
import { copperInWords, parseCopper, printCopper } from './copper'

describe('coins follow the vectors shared with the server', () => {
  test.each(vectors.parse.map((v) => [v.text, v] as const))('parse %j', (text, want) => {
    const got = parseCopper(text)
    expect({ copper: got.copper?.toString(), error: got.error }).toEqual({ copper: want.copper, error: want.error })
  })

  test.each(vectors.print.map((v) => [v.copper, v.text] as const))('print %s', (copper, text) => {
    expect(printCopper(BigInt(copper))).toBe(text)
  })

  test.each(vectors.total.map((v) => [v.unit, v.quantity, v.copper] as const))(
    '%s each for %i items',
    (unit, quantity, copper) => {
      expect((BigInt(unit) * BigInt(quantity)).toString()).toBe(copper)
    },
  )
})

test('an amount is spelled out in words', () => {
  expect(copperInWords(1_500_000_000n)).toBe('1 platinum 500 gold')
  expect(copperInWords(0n)).toBe('0 copper')
})
