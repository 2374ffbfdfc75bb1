// Fails when the JavaScript that a first visit loads grows past its budget, the dialogs are in more files than a browser
// fetches at a time, or a style is slow on every change. Run after `npm run build`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const budget = 150 * 1000 // bytes, gzipped
const dist = new URL('../dist/', import.meta.url).pathname

const gzipped = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length

/** The files that are loaded before a view can be pressed, in a language. */
function firstLoad(view, language) {
  const others = new RegExp(`<link[^>]+data-for="(?!${view})[^>]*>`, 'g')
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
    .replaceAll(others, '')
    .replaceAll('/assets/en/', `/assets/${language}/`)
  const queue = [
    ...html.matchAll(/<script[^>]+src="\/([^"]+\.js)"/g),
    ...html.matchAll(/<link[^>]+rel="modulepreload"[^>]+href="\/([^"]+\.js)"/g),
  ].map((match) => match[1])
  const loaded = new Set()
  while (queue.length > 0) {
    const file = queue.pop()
    if (loaded.has(file)) continue
    loaded.add(file)
    const code = readFileSync(join(dist, file), 'utf8')
    // Static imports of a built chunk look like `from"./name.js"` or `import"./name.js"`; lazy ones are calls: import("…").
    for (const [, name] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      queue.push(`assets/${language}/${name}`)
  }
  return [...loaded].sort()
}

const mostDialogFiles = 5

/** The files of the dialogs: those that their host loads, and what all forms are made of. */
function dialogFiles() {
  const [host] = readdirSync(join(dist, 'assets/en')).filter((file) => /^DialogHost-[^.]+\.js$/.test(file))
  const code = readFileSync(join(dist, 'assets/en', host), 'utf8')
  const files = [...code.matchAll(/import\([`"]\.\/([^`"]+)[`"]\)/g)].map(([, file]) => file)
  const forms = readdirSync(join(dist, 'assets/en')).filter((file) => /^forms-[^.]+\.js$/.test(file))
  return [...new Set([...files, ...forms])]
}

const dialogs = dialogFiles()
console.log(`${String(dialogs.length).padStart(7)} files of dialogs (at most ${mostDialogFiles}): ${dialogs.join(' ')}`)
if (dialogs.length > mostDialogFiles || dialogs.length < 2) {
  console.error('The dialogs are not in the files that vite.config.ts names.')
  process.exitCode = 1
}

const languages = readdirSync(join(dist, 'assets'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
for (const { name: language } of languages) {
  for (const view of ['cards', 'list']) {
    let total = 0
    for (const file of firstLoad(view, language)) {
      const bytes = gzipped(file)
      total += bytes
      console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${file}`)
    }
    const what = `first load with ${view} in ${language}`
    console.log(`${(total / 1000).toFixed(1).padStart(7)} kB  ${what}, gzipped (budget ${budget / 1000} kB)`)
    if (total > budget) {
      console.error(`The ${what} is over its budget: load something later, or do without it.`)
      process.exitCode = 1
    }
  }
}

// With :has() alone as a rule's subject, each change of the page has a browser compute the style of every element again: a
// dialog above a thousand requests took 500 ms more to open on a slow phone.
for (const file of readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.css'))) {
  const css = readFileSync(join(dist, 'assets', file), 'utf8')
  for (const [, selector] of css.matchAll(/(?:^|[{},\s>+~])(:has\([^{]*)\{/g)) {
    console.error(`${file}: ${selector.slice(0, 80)} needs a class or an attribute before :has()`)
    process.exitCode = 1
  }
}
