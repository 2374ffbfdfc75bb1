// Receives events of a market (Standard Webhooks) and prints each once. It listens on this machine: put a proxy with https before it.
//
//   SECRET=whsec_… node webhook.mjs 8090
//
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from((process.env.SECRET ?? '').replace(/^whsec_/, ''), 'base64')
if (key.length === 0) {
  console.error('SECRET is missing: set it to what the market showed once for this webhook, whsec_ and all.')
  process.exit(1)
}
const port = Number(process.argv[2] ?? 8090)
const seen = new Set() // a program that restarts keeps these ids with what it did

/** Reports whether the market has signed a message, within the last five minutes. */
function signed(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false
  const want = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const got = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return got.length === want.length && timingSafeEqual(got, want)
  })
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  if (!signed(request.headers, body)) return response.writeHead(401).end()
  const id = request.headers['webhook-id']
  if (!seen.has(id)) {
    seen.add(id)
    const { type, data } = JSON.parse(body)
    console.log(type, JSON.stringify(data))
  }
  response.writeHead(204).end() // at once: do what takes long afterwards
}).listen(port, '127.0.0.1', function () {
  console.log(`listening on ${this.address().port}`)
})
