import { expect, test } from 'vitest'
import { embedCode } from './embed'

const address = (path: string) => /src="([^"]*)"/.exec(embedCode(path))?.[1]?.replace(window.location.origin, '')

test('the code shows the list that is on the page, without what only its reader has', () => {
  expect(address('/')).toBe('/embed')
  expect(address('/?category=Fisher&category=Miner&view=list&for=me&side=both')).toBe(
    '/embed?category=Fisher&amp;category=Miner',
  )
  expect(address('/items/704/emperor-cod?view=list')).toBe('/embed/items/704')
})

test('no text ends the attribute that it is in', () => {
  expect(embedCode('/?q="><script>')).not.toContain('<script>')
  expect(embedCode('/?q=cod')).toMatch(/^<iframe src="[^"]+" title="Open requests on [^"]+" width="100%"/)
})
