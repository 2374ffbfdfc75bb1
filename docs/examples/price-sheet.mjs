// Writes a sheet of prices as CSV: node price-sheet.mjs https://trade.example prices.csv
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const [market, file] = process.argv.slice(2)
if (!market || !file) {
  console.error('usage: node price-sheet.mjs https://trade.example prices.csv')
  process.exit(2)
}
// What the last run knew: the tag of the prices, a cursor of changes, and when the first request expires.
const stateFile = `${file}.state`
const before = existsSync(file) && existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {}

// Asks for an address. Beyond the limit of requests it waits as long as the market says.
async function ask(address, headers = {}) {
  for (;;) {
    const response = await fetch(address, { headers })
    if (response.status !== 429 && response.status !== 503) {
      if (response.status >= 400 && response.status !== 410) {
        const problem = await response.json()
        throw new Error(`${address}: ${problem.code}: ${problem.detail}`)
      }
      return response
    }
    const seconds = Number(response.headers.get('Retry-After') ?? 5)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

// Returns a cursor of changes from now on, and whether requests have changed since the last run. The cursor is
// taken before anything is read: then no change is missed.
async function follow(cursor) {
  for (let changed = false; ; ) {
    const response = await ask(`${market}/api/public/changes${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`)
    if (response.status === 410) return follow() // it was too long ago: read everything
    const answer = await response.json()
    changed ||= !cursor || answer.changes.length > 0
    cursor = answer.cursor
    if (!answer.more) return { cursor, changed }
  }
}

// Reads a list page by page: the header Link names the next one.
async function readOrders() {
  const orders = new Map()
  for (let next = `${market}/api/public/orders`; next; ) {
    const response = await ask(next)
    for (const order of (await response.json()).orders) {
      orders.set(order.id, order) // a request that moved meanwhile may come twice
    }
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
  }
  return [...orders.values()]
}

// A text that a spreadsheet would take for a formula begins with an apostrophe.
function field(value) {
  let text = String(value ?? '')
  if (typeof value === 'string' && /^\s*[=+\-@]/.test(text)) text = `'${text}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const { cursor, changed } = await follow(before.cursor)
const answer = await ask(`${market}/api/public/prices`, before.tag ? { 'If-None-Match': before.tag } : {})
const expired = before.until && new Date(before.until) <= new Date() // that is no change: requests say when they do
if (answer.status === 304 && !changed && !expired) {
  console.log('nothing has changed')
  process.exit()
}

const rows = new Map()
const rowOf = (name) => {
  if (!rows.has(name)) rows.set(name, { item: name, wanted: 0 })
  return rows.get(name)
}
// A tag without its prices is of no use here, so they are asked for once more.
const full = answer.status === 304 ? await ask(`${market}/api/public/prices`) : answer
const { prices } = await full.json()
for (const price of prices) {
  Object.assign(rowOf(price.itemName), { usual: price.median, low: price.low, high: price.high, days: price.days })
}
const orders = await readOrders()
for (const order of orders) {
  const row = rowOf(order.itemName)
  row.wanted += order.left
  row.bestRequest = Math.max(row.bestRequest ?? 0, order.maxPricePerUnit)
}
const columns = ['item', 'usual', 'low', 'high', 'days', 'bestRequest', 'wanted'] // prices in copper
const lines = [...rows.values()]
  .sort((a, b) => a.item.localeCompare(b.item))
  .map((row) => columns.map((column) => field(row[column])).join(','))
writeFileSync(file, `${[columns.join(','), ...lines].join('\n')}\n`)
const until = orders.map((order) => order.expiresAt).sort()[0]
writeFileSync(stateFile, JSON.stringify({ cursor, tag: full.headers.get('ETag'), until }))
console.log(`${lines.length} items`)
