import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => vi.resetModules())
afterEach(() => document.head.querySelector('meta[name="categories"]')?.remove())

function namesInHead(...names: string[]) {
  const meta = document.createElement('meta')
  meta.name = 'categories'
  meta.content = names.join('\n')
  document.head.append(meta)
}

test('a profession has the name that the page has in its head, in the order of the game', async () => {
  namesInHead('Sammler', 'Fischer', 'Koch')
  const { categoryName } = await import('./market')
  expect(['Forager', 'Fisher', 'Chef', 'Miner'].map(categoryName)).toEqual(['Sammler', 'Fischer', 'Koch', 'Miner'])
})

test("without other names, and for another game's profession, it is the game's own", async () => {
  const { categoryName } = await import('./market')
  expect(['Forager', 'Miner', 'Bow Maker'].map(categoryName)).toEqual(['Forager', 'Miner', 'Bow Maker'])
})
