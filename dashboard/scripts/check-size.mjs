// Fails when the JavaScript that a first visit loads grows past its budget. Run after `npm run build`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const budget = 150 * 1000 // bytes, gzipped
const dist = new URL('../dist/', import.meta.url).pathname

// The code of the list is loaded with the list.
const html = readFileSync(join(dist, 'index.html'), 'utf8').replaceAll(/<link[^>]+data-for="list"[^>]*>/g, '')
const loaded = new Set()
const queue = [
  ...html.matchAll(/<script[^>]+src="\/([^"]+\.js)"/g),
  ...html.matchAll(/<link[^>]+rel="modulepreload"[^>]+href="\/([^"]+\.js)"/g),
].map((match) => match[1])

while (queue.length > 0) {
  const file = queue.pop()
  if (loaded.has(file)) continue
  loaded.add(file)
  const code = readFileSync(join(dist, file), 'utf8')
  // Static imports of a built chunk look like `from"./name.js"` or `import"./name.js"`; lazy ones are calls: import("…").
  for (const [, name] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) queue.push(`assets/${name}`)
}

let total = 0
for (const file of [...loaded].sort()) {
  const bytes = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length
  total += bytes
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${file}`)
}
console.log(`${(total / 1000).toFixed(1).padStart(7)} kB  first load, gzipped (budget ${budget / 1000} kB)`)
if (total > budget) {
  console.error('The first load is over its budget: load something later, or do without it.')
  process.exit(1)
}
