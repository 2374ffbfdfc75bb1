// Writes the drawings of the icons that the first look has (web/firstlook/icons.gen.json), from those that the page uses:
// npm run icons. With a path as argument it writes there instead.
import { readFileSync, writeFileSync } from 'node:fs'

const rules = readFileSync(new URL('../src/components/category.tsx', import.meta.url), 'utf8')
const professions = [...rules.matchAll(/^ {2}'?([a-z0-9-]+)'?: [A-Z]\w+,$/gm)].map(([, name]) => name)
const others = [
  ...['calculator', 'copy', 'ellipsis', 'flame', 'handshake', 'layout-grid', 'list', 'search', 'sliders-horizontal'],
  ...['triangle-alert', 'bookmark', 'user-round-check', 'arrow-down', 'arrow-up', 'chevron-down', 'chevron-right', 'x'],
  ...['handshake', 'package', 'plus', 'scroll-text', 'store', 'tag', 'user-round'],
]

const icons = new URL('../node_modules/lucide-react/dist/esm/icons/', import.meta.url)

/** The elements of an icon, also by an earlier name of it. */
async function drawingOf(name) {
  const { __iconData } = await import(new URL(`${name}.mjs`, icons))
  if (__iconData) return __iconData.node
  const [, now] = readFileSync(new URL(`${name}.mjs`, icons), 'utf8').match(/from '\.\/([a-z0-9-]+)\.mjs'/)
  return drawingOf(now)
}

const drawings = {}
for (const name of [...new Set([...professions, ...others])].sort()) {
  drawings[name] = (await drawingOf(name))
    .map(([element, { key, ...attributes }]) => {
      const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${value}"`)
      return `<${element}${written.join('')}/>`
    })
    .join('')
}

// The one that is ours.
const mark = readFileSync(new URL('../src/components/discord-mark.tsx', import.meta.url), 'utf8')
drawings.discord = mark
  .match(/<path[^>]*\/>/)[0]
  .replace(/\s+/g, ' ')
  .replace(' />', '/>')
  .replace(/(fill|clip)Rule/g, '$1-rule')

const file = process.argv[2] ?? new URL('../../web/firstlook/icons.gen.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(drawings, null, 2)}\n`)
