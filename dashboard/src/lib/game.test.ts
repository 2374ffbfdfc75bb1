import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import vectors from '../../../core/testdata/game.json'

/** Reloads the modules that depend on the game, with another game in the page's head. */
beforeEach(() => {
  vi.resetModules()
  const meta = document.createElement('meta')
  meta.name = 'game'
  meta.content = JSON.stringify(vectors.game)
  document.head.append(meta)
})
afterEach(() => {
  document.head.querySelector('meta[name="game"]')?.remove()
  vi.resetModules()
})

describe("another game's coins follow the vectors shared with the server", () => {
  test.each(vectors.parse.map((v) => [v.text, v] as const))('parse %j', async (text, want) => {
    const { parseCopper } = await import('./copper')
    const got = parseCopper(text)
    expect({ copper: got.copper?.toString(), error: got.error }).toEqual({ copper: want.copper, error: want.error })
  })

  test.each(vectors.print.map((v) => [v.copper, v] as const))('print and spell out %s', async (copper, want) => {
    const { printCopper, copperInWords } = await import('./copper')
    expect(printCopper(BigInt(copper))).toBe(want.text)
    expect(copperInWords(BigInt(copper))).toBe(want.say)
  })
})

test('another game has its own professions', async () => {
  const z = await import('zod/mini')
  const { orderRules } = await import('./validation')
  const { eachField } = await import('./fields')
  const order = {
    ...eachField(() => ''),
    itemName: 'Yew Bow',
    quantity: 1,
    maxPricePerUnit: 350,
    description: '',
    buyerContact: 'maple',
    levelRequirement: null,
    ign: null,
    category: 'Bow Maker',
    importance: 'medium',
  }
  const rules = z.object(orderRules)
  expect(rules.safeParse(order).success).toBe(true)
  expect(rules.safeParse({ ...order, category: 'Miner' }).error?.issues).toEqual([
    expect.objectContaining({ path: ['category'], message: vectors.unknownCategory }),
  ])
})
