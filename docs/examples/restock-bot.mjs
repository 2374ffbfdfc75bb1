// Keeps your stock here as a sheet says: TOKEN=tp_… node restock-bot.mjs https://trade.example stock.csv
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [market, file] = process.argv.slice(2)
const token = process.env.TOKEN // with the scopes read and stock; never write it into a file that others read
if (!market || !file || !token) {
  console.error('usage: TOKEN=tp_… node restock-bot.mjs https://trade.example stock.csv')
  process.exit(2)
}

// Asks as the token's owner. A write that breaks off is sent again with the same key: it happens once.
async function ask(method, path, body) {
  const text = body && JSON.stringify(body)
  const key = createHash('sha256').update(`${Date.now()} ${path} ${text}`).digest('hex')
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key }
  for (let tries = 1; ; tries++) {
    let response
    try {
      response = await fetch(market + path, { method, headers, body: text })
    } catch (error) {
      if (tries === 5) throw error
    }
    if (response && response.status !== 429 && response.status !== 503) {
      const answer = response.status === 204 ? {} : await response.json()
      return { ok: response.ok, answer }
    }
    const seconds = Number(response?.headers.get('Retry-After') ?? tries)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

// Each line is an item, how many you have, and the lowest price per unit in copper: Iron Ore,200,250. With 0 it is removed.
const wanted = new Map()
for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
  const [itemName, quantity, price] = line.split(',').map((part) => part.trim())
  if (itemName && Number(quantity) >= 0 && Number(price) > 0) {
    wanted.set(itemName.toLowerCase(), { itemName, quantity: Number(quantity), price: Number(price) })
  }
}

const { ok, answer } = await ask('GET', '/api/me/stock')
if (!ok) {
  console.error(`${answer.code}: ${answer.detail}`)
  process.exit(1)
}
let failed = false
const report = (done, what, { ok, answer }) => {
  console.log(ok ? `${done} ${what}` : `${what}: ${answer.code}: ${Object.values(answer.errors ?? {})[0] ?? answer.detail}`)
  failed ||= !ok
}
for (const { id, itemName, quantity, price, note, public: shown, until } of answer.stock) {
  const now = wanted.get(itemName.toLowerCase())
  wanted.delete(itemName.toLowerCase())
  if (now?.quantity === 0) {
    report('removed', itemName, await ask('DELETE', `/api/me/stock/${id}`))
  } else if (now && (now.quantity !== quantity || now.price !== price)) {
    const entry = { ...now, note, public: shown, ...(until && { until }) } // what the sheet does not say stays
    report('changed', itemName, await ask('POST', '/api/me/stock', { stock: [entry] }))
  }
}
for (const now of [...wanted.values()].filter(({ quantity }) => quantity > 0)) {
  report('added', now.itemName, await ask('POST', '/api/me/stock', { stock: [{ ...now, note: '', public: false }] }))
}
process.exit(failed ? 1 : 0)
