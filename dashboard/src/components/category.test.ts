import { expect, test } from 'vitest'
import defaultGame from '../../../core/game/game.json'
import vectors from '../../../core/testdata/game.json'
import { icons } from './category'

test('there is a drawing for every icon that a game may use, including the default game', () => {
  expect(Object.keys(icons)).toEqual(vectors.icons)
  for (const { icon } of defaultGame.professions) expect(vectors.icons).toContain(icon)
})
