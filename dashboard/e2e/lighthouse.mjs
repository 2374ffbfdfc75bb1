// Measures the board with Lighthouse, as a phone on a slow line would see it, and fails below the marks. Needs a running
// market: BASE_URL=http://127.0.0.1:8080 npm run lighthouse

import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'

const marks = { performance: 0.95, accessibility: 1, 'best-practices': 1 }
const longest = { 'largest-contentful-paint': 1300, 'total-blocking-time': 100 } // milliseconds
const address = process.env.BASE_URL ?? 'http://127.0.0.1:8080'

const chrome = await launch({
  chromePath: process.env.CHROMIUM || '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
})
try {
  const result = await lighthouse(address, {
    port: chrome.port,
    logLevel: 'error',
    onlyCategories: Object.keys(marks),
  })
  const { categories, audits, runtimeError } = result.lhr
  if (runtimeError) throw new Error(runtimeError.message)
  let failed = false
  for (const [name, mark] of Object.entries(marks)) {
    const { score } = categories[name]
    if (score < mark) failed = true
    console.log(`${name.padEnd(16)} ${score.toFixed(2)}  (at least ${mark})`)
  }
  for (const id of [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
    'speed-index',
  ]) {
    const most = longest[id]
    if (most && audits[id].numericValue > most) failed = true
    console.log(`  ${audits[id].title.padEnd(28)} ${audits[id].displayValue}${most ? `  (at most ${most} ms)` : ''}`)
  }
  for (const name of Object.keys(marks)) {
    for (const { id, weight } of categories[name].auditRefs) {
      const { score, title, displayValue } = audits[id]
      if (weight > 0 && score !== null && score < 0.9) console.log(`  ! ${name}: ${title} ${displayValue ?? ''}`)
    }
  }
  process.exitCode = failed ? 1 : 0
} finally {
  await chrome.kill()
}
