// Checks how the files of src import each other: app → features → components, hooks, api, lib. A feature imports no other
// feature, and a room of a divided feature only the rooms after it. No files import each other in a circle, also not for a
// type or lazily. Every file is reached from main.tsx or a test, and every export is imported: by more than a test, unless its
// own file uses it too.
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
/** Parts of shadcn/ui are complete, and generated files have what they are made from: not all of it is used. */
const isWhole = (file) => file.startsWith('components/ui/') || file.includes('.gen.')

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

/** What each file imports or exports from others, and the names; undefined for a module that is imported whole or lazily. */
const imports = new Map(
  [...texts].map(([file, text]) => [
    file,
    [...text.matchAll(/\b(?:(?:import|export)\s+([^'"();]*?)\s*from|import)\s*\(?\s*'([^']+)'/g)]
      .map(([, clause, target]) => ({ target, to: fileOf(target, file), names: namesOf(clause) }))
      .filter(({ to }) => to),
  ]),
)

/** The names in "Own, { type one, other as another }" that the other file exports. */
function namesOf(clause) {
  if (!clause || clause.includes('*')) return undefined
  const own = clause.replace(/\{[^}]*\}|^type\b|,/g, '').trim() ? ['default'] : []
  return [...own, ...inBraces(clause).map((name) => name.replace(/^type | as .*/g, ''))]
}

function inBraces(text) {
  const [, names = ''] = text.match(/\{([^}]*)\}/) ?? []
  return names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

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

// Exports, and files, that nothing needs.
const exported =
  /^export\s+(?:(default)\b|(?:async\s+)?(?:function|const|let|class|type|interface)\s+([\w$]+)|(?:type\s+)?(\{[^}]*\}))/gm
const exportsOf = (text) =>
  [...text.matchAll(exported)].flatMap(([, own, name, braces]) =>
    braces ? inBraces(braces).map((part) => part.split(' as ').at(-1)) : [own ?? name],
  )
const timesIn = (file, name) =>
  texts
    .get(file)
    .split(/[^\w$]+/)
    .filter((word) => word === name).length
const importersOf = (file) =>
  [...imports].flatMap(([user, found]) => found.filter(({ to }) => to === file).map(({ names }) => ({ user, names })))

for (const [file, text] of texts) {
  if (file.includes('.test.') || isWhole(file) || !file.includes('/')) continue
  const importers = importersOf(file)
  for (const name of exportsOf(text)) {
    // Who imports a module lazily says the name later.
    const users = importers.filter(
      ({ user, names }) => names?.includes(name) ?? (name === 'default' || timesIn(user, name) > 0),
    )
    if (users.length === 0) wrong.push(`src/${file} exports ${name}, which nothing imports`)
    else if (!isTest(file) && timesIn(file, name) === 1 && users.every(({ user }) => isTest(user)))
      wrong.push(`src/${file} exports ${name}, which only tests import`)
  }
}

const reached = new Set([...texts.keys()].filter((file) => isTest(file) || !file.includes('/')))
for (const file of reached) for (const { to } of imports.get(file) ?? []) reached.add(to)
for (const file of texts.keys()) if (!reached.has(file)) wrong.push(`src/${file} is imported by nothing`)

for (const line of wrong) console.error(line)
if (wrong.length > 0) process.exit(1)
