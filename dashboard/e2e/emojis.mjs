// Draws the emojis that the bot uploads: the coins of the page and the icons of professions. `npm run emojis` writes them to
// bot/emojis; run it after core.Icons or the coins of the page have changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from '@playwright/test'

const size = 128 // as Discord recommends
const into = new URL('../../bot/emojis/', import.meta.url)
const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8')

const tile = '#3f7f6f' // seen on a light and on a dark background alike

/** An icon of lucide as the inside of an SVG. */
function icon(name) {
  const source = read(`../node_modules/lucide-react/dist/esm/icons/${name}.mjs`)
  const data = /node: (\[[\s\S]*?\n {2}\])\n\};/.exec(source)?.[1]
  if (!data) throw new Error(`no drawing in ${name}`)
  const nodes = new Function(`return ${data}`)()
  return nodes
    .map(
      ([tag, { key: _, ...at }]) =>
        `<${tag} ${Object.entries(at)
          .map(([k, v]) => `${k}="${v}"`)
          .join(' ')}/>`,
    )
    .join('')
}

const profession = (name) =>
  `<svg viewBox="0 0 32 32"><rect x="1" y="1" width="30" height="30" rx="7" fill="${tile}"/>` +
  `<g transform="translate(5.2 5.2) scale(.9)" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${icon(name)}</g></svg>`

const faces = {
  platinum: ['#9db9e2', '#39547d'],
  gold: ['#e5b33c', '#6e4c05'],
  silver: ['#c3cad0', '#4e565c'],
  copper: ['#d3814f', '#6c3013'],
}

/** A coin of the page, in colours that are seen on a light and on a dark background alike. */
function coin(name) {
  const page = read('../src/components/coins.tsx')
  const symbol = new RegExp(`<symbol id="coin-${name}"[^>]*>([\\s\\S]*?)</symbol>`).exec(page)?.[1]
  if (!symbol) throw new Error(`the page draws no ${name}`)
  const [face, edge] = faces[name]
  const inside = symbol
    .replaceAll(`var(--${name}-face)`, face)
    .replaceAll(`var(--${name}-edge)`, edge)
    .replaceAll('strokeWidth', 'stroke-width')
    .replaceAll('strokeLinecap', 'stroke-linecap')
  return `<svg viewBox="0 0 16 16">${inside}</svg>`
}

const icons =
  /var Icons = \[\]string\{([\s\S]*?)\n\}/.exec(read('../../core/game.go'))?.[1]?.match(/[\w-]+(?=")/g) ?? []
const drawings = new Map([
  ...icons.map((name) => [name.replaceAll('-', '_'), profession(name)]),
  ...Object.keys(faces).map((name) => [name, coin(name)]),
])

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium' })
const page = await browser.newPage({ viewport: { width: size, height: size } })
for (const [name, drawing] of drawings) {
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`)
  writeFileSync(new URL(`${name}.png`, into), await page.screenshot({ omitBackground: true }))
}
await browser.close()
console.log(`${drawings.size} emojis`)
