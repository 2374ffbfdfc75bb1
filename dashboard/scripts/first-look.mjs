// Writes requests with every field, with none, and with one (web/firstlook/testdata/orders.gen.json), made from the API's type of a
// request. The tests of the first look draw them on both sides: a field that only one side draws fails dashboard/src/test/firstLook.test.tsx.
// With a path as argument it writes there instead.
import { readFileSync, writeFileSync } from 'node:fs'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const { schemas } = read('../openapi.json').components
const now = new Date(read('../../core/testdata/first_look.json').now).getTime()
const day = 86_400_000

const resolved = ({ $ref, anyOf, ...schema }) =>
  $ref ? resolved(schemas[$ref.split('/').at(-1)]) : anyOf ? resolved(anyOf[0]) : schema
const time = (days) => new Date(now + days * day).toISOString().replace('.000', '')

/** A value with everything in it. */
function full(of, name) {
  const { examples, enum: values, format, properties, items, type } = resolved(of)
  if (properties) return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, full(value, key)]))
  if (type === 'boolean') return true
  if (examples) return examples[0]
  if (values) return values.at(-1)
  if (items) return [full(items, name)]
  if (format === 'date-time') return time(name === 'expiresAt' ? 12 : -3)
  return [type].flat().includes('integer') ? 7 : `some ${name}`
}

/** A value with as little in it as there can be. */
function empty(of, name) {
  if ([of.type].flat().includes('null') || of.anyOf?.some(({ type }) => type === 'null')) return null
  const { enum: values, format, pattern, type } = resolved(of)
  if (values) return values[0]
  if (format === 'date-time') return time(name === 'expiresAt' ? 400 : 0)
  return { boolean: false, integer: 0 }[type] ?? (pattern ? '0' : '')
}

const { properties, required } = schemas.Order
const fields = Object.entries(properties)

/** What makes a request one of those on the board. */
const open = {
  status: 'active',
  closeReason: null,
  closedAt: null,
  expired: false,
  hidden: false,
  purchases: undefined,
}

const everything = Object.fromEntries(fields.map(([name, of]) => [name, full(of, name)]))
const every = { ...everything, ...open, group: undefined }
const none = {
  ...Object.fromEntries(
    fields.filter(([name]) => required.includes(name)).map(([name, of]) => [name, empty(of, name)]),
  ),
  ...open,
  userId: every.userId,
}
/** The fields that a request may be without. */
const optional = Object.keys(every).filter(
  (name) => every[name] !== undefined && !(name in open) && [undefined, null, false, ''].includes(none[name]),
)
const partsOf = (name) => (typeof every[name] === 'object' ? Object.keys(every[name]) : [])
const onlyPart = (name, part) => Object.fromEntries(partsOf(name).map((key) => [key, key === part]))

const board = {
  'every field': every,
  'no field': none,
  ...Object.fromEntries(schemas.Importance.enum.map((importance) => [importance, { ...every, importance }])),
  ...Object.fromEntries(optional.map((name) => [`only ${name}`, { ...none, [name]: every[name] }])),
  ...Object.fromEntries(
    optional.flatMap((name) =>
      partsOf(name).map((part) => [`${name}: ${part}`, { ...every, [name]: onlyPart(name, part) }]),
    ),
  ),
  'several of one item': { ...every, group: everything.group },
}
const over = {
  closed: { ...everything, expired: false, hidden: false, group: undefined },
  expired: { ...every, expired: true },
  hidden: { ...every, hidden: true },
}

let id = 100
const numbered = (cases) =>
  Object.entries(cases).map(([name, order]) => ({ case: name, order: { ...order, id: id++ } }))

const file = process.argv[2] ?? new URL('../../web/firstlook/testdata/orders.gen.json', import.meta.url)
writeFileSync(file, `${JSON.stringify({ board: numbered(board), over: numbered(over) }, null, 1)}\n`)
