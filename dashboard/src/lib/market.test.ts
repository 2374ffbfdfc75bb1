import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => vi.resetModules())
afterEach(() => {
  for (const meta of document.head.querySelectorAll('meta[name="categories"], meta[name="coins"]')) meta.remove()
})

function namesInHead(of: 'categories' | 'coins', ...names: string[]) {
  const meta = document.createElement('meta')
  meta.name = of
  meta.content = names.join('\n')
  document.head.append(meta)
}

test('a profession has the name that the page has in its head, in the order of the game', async () => {
  namesInHead('categories', 'Sammler', 'Fischer', 'Koch')
  const { categoryName } = await import('./market')
  expect(['Forager', 'Fisher', 'Chef', 'Miner'].map(categoryName)).toEqual(['Sammler', 'Fischer', 'Koch', 'Miner'])
})

test("without other names, and for another game's profession, it is the game's own", async () => {
  const { categoryName } = await import('./market')
  expect(['Forager', 'Miner', 'Bow Maker'].map(categoryName)).toEqual(['Forager', 'Miner', 'Bow Maker'])
})

test('an amount is spelled out in the names of coins that the page has in its head', async () => {
  namesInHead('coins', 'Platin', 'Gold', 'Silber', 'Kupfer')
  const { copperInWords } = await import('./copper')
  expect(copperInWords(2_320_000n)).toBe('2 Gold 320 Silber')
})
