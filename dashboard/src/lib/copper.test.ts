import { describe, expect, test } from 'vitest'
import vectors from '../../../core/testdata/copper.json'
import { copperInWords, formatCopper, parseCopper, printCopper } from './copper'

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

test('an amount to read has separators of thousands, one to type has none', () => {
  const large = 1_240n * 1_000_000_000n + 500n * 1_000_000n
  expect(formatCopper(large)).toBe('1,240p 500g')
  expect(copperInWords(large)).toBe('1,240 platinum 500 gold')
  expect(printCopper(large)).toBe('1240p 500g')
})
