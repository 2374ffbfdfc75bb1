// Checks how the files of src import each other: app → features → components, hooks, api, lib. A feature imports no other
// feature, and a room of a divided feature only the rooms after it. No files import each other in a circle, also not for a
// type or lazily.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const src = new URL('../src/', import.meta.url).pathname
const mayImport = {
  app: ['app', 'features', 'components', 'hooks', 'api', 'lib', 'assets'],
  features: ['components', 'hooks', 'api', 'lib'],
  components: ['components', 'hooks', 'lib', 'api'],
  hooks: ['hooks', 'api', 'lib'],
  api: ['api', 'lib'],
  lib: ['lib'],
  test: ['app', 'features', 'components', 'hooks', 'api', 'lib', 'test'],
}
/** The rooms of divided features. */
const rooms = { orders: ['board', 'card', 'form'] }

const isTest = (file) => /\.test\.tsx?$/.test(file) || file.startsWith('test/')

const texts = new Map(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => [file, readFileSync(join(src, file), 'utf8').replace(/^ *(\/\/|\/?\*).*$/gm, '')]),
)

/** The file of src that an import names, or its path where that is no script; null for what is outside of src. */
function fileOf(target, from) {
  const path = target.startsWith('@/')
    ? target.slice(2)
    : target.startsWith('.') && normalize(join(dirname(from), target))
  if (!path || path.startsWith('..')) return null
  return ['', '.ts', '.tsx'].map((end) => path + end).find((file) => texts.has(file)) ?? path
}

/** What each file imports or exports from others. */
const imports = new Map(
  [...texts].map(([file, text]) => [
    file,
    [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)]
      .map(([, target]) => ({ target, to: fileOf(target, file) }))
      .filter(({ to }) => to),
  ]),
)

const wrong = []

// Directions.
for (const [file, found] of imports) {
  const [layer, feature, room] = file.split('/')
  if (!mayImport[layer]) continue // files beside the layers, such as main.tsx
  for (const { target, to } of found) {
    const [toLayer, toFeature, toRoom] = to.split('/')
    const within = layer === 'features' && toLayer === 'features' && feature === toFeature
    if (!within && !mayImport[layer].includes(toLayer) && !(isTest(file) && toLayer === 'test')) {
      wrong.push(`src/${file} imports ${target}: ${layer} may not import ${toLayer}/${toFeature}`)
    }
    const order = within && rooms[feature]
    if (order && order.indexOf(toRoom) < order.indexOf(room) && !isTest(file)) {
      wrong.push(`src/${file} imports ${target}: ${feature}/${room} may not import ${feature}/${toRoom}`)
    }
  }
  if (layer === 'features' && rooms[feature] && !rooms[feature].includes(room)) {
    wrong.push(`src/${file}: a file of ${feature} belongs to one of its rooms: ${rooms[feature].join(', ')}`)
  }
}

// Circles: a file that can be reached from itself.
function circleAt(start) {
  const cameFrom = new Map()
  const queue = [start]
  for (const file of queue) {
    for (const { to } of imports.get(file) ?? []) {
      if (cameFrom.has(to)) continue
      cameFrom.set(to, file)
      queue.push(to)
    }
  }
  if (!cameFrom.has(start)) return null
  const path = [start]
  do path.unshift(cameFrom.get(path[0]))
  while (path[0] !== start)
  return path
}
const inCircle = new Set()
for (const file of imports.keys()) {
  const circle = !inCircle.has(file) && circleAt(file)
  if (!circle) continue
  for (const member of circle) inCircle.add(member)
  wrong.push(`imported in a circle: ${circle.map((member) => `src/${member}`).join(' → ')}`)
}

for (const line of wrong) console.error(line)
if (wrong.length > 0) process.exit(1)
