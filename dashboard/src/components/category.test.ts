import { expect, test } from 'vitest'
import asItComes from '../../../core/game.json'
import vectors from '../../../core/testdata/game.json'
import { icons } from './category'

test('the page draws every icon that a game may name, and those of the game as it comes', () => {
  expect(Object.keys(icons)).toEqual(vectors.icons)
  for (const { icon } of asItComes.professions) expect(vectors.icons).toContain(icon)
})
