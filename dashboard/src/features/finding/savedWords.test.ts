import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { searchOf } from '@/api/savedSearch'

beforeEach(() => vi.resetModules())
afterEach(() => document.head.querySelector('meta[name="categories"]')?.remove())

const forChefs = { ...searchOf({ category: ['Chef'] }, 'cards', ''), way: 'direct' as const }

test('a search by professions is named by the page where they have other names than the game gives', async () => {
  const meta = document.createElement('meta')
  meta.name = 'categories'
  meta.content = 'Sammler\nFischer\nKoch'
  document.head.append(meta)
  const { namedHere } = await import('./savedWords')
  expect(namedHere(forChefs)).toBe(true)
  expect(namedHere({ ...forChefs, category: [], q: 'iron' })).toBe(false)
})

test('where they have not, the server names it', async () => {
  const { namedHere } = await import('./savedWords')
  expect(namedHere(forChefs)).toBe(false)
})
