// Measures each place with Lighthouse, as a phone on a slow line would see it, and fails below the marks. Needs a running demo:
// BASE_URL=http://127.0.0.1:8080 npm run lighthouse (PLACES='/,/mine as Juniper' for some of them)

import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'

const marks = { performance: 0.98, accessibility: 1, 'best-practices': 1 }
const most = { 'largest-contentful-paint': 1300, 'total-blocking-time': 100, 'cumulative-layout-shift': 0.02 } // milliseconds, and a share
const address = process.env.BASE_URL ?? 'http://127.0.0.1:8080'
const shown = ['first-contentful-paint', ...Object.keys(most), 'speed-index']

const only = process.env.PLACES?.split(',')
const nameOf = (path, player) => (player ? `${path} as ${player}` : path)

/** Each place, and its reader: a visitor, or a player of the demo. */
const places = [
  ['/', ''],
  ['/items', ''],
  ['/items/1', ''],
  ['/', 'Juniper'],
  ['/mine', 'Juniper'],
  ['/mine/offers', 'Juniper'],
  ['/completed', 'Juniper'],
  ['/selling', 'Juniper'],
  ['/selling/offers', 'Juniper'],
  ['/selling/stock', 'Juniper'],
  ['/selling/saved', 'Juniper'],
  ['/trades', 'Juniper'],
  ['/items', 'Juniper'],
  ['/moderation', 'Tamsin'],
].filter(([path, player]) => !only || only.includes(nameOf(path, player)))

const chrome = await launch({
  chromePath: process.env.CHROMIUM || '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
})
const sessions = new Map([['', '']])
try {
  for (const [path, player] of places) {
    if (!sessions.has(player)) sessions.set(player, await signIn(player))
    const failed = await measure(path, player, sessions.get(player))
    if (failed) process.exitCode = 1
  }
} finally {
  await chrome.kill()
}

/** Prints what Lighthouse says of a place, and returns whether it is below a mark. */
async function measure(path, player, cookie) {
  const result = await lighthouse(address + path, {
    port: chrome.port,
    logLevel: 'error',
    onlyCategories: Object.keys(marks),
    ...(cookie && { extraHeaders: { Cookie: cookie } }),
  })
  const { categories, audits, runtimeError } = result.lhr
  if (runtimeError) throw new Error(runtimeError.message)
  console.log(nameOf(path, player))
  let failed = false
  for (const [name, mark] of Object.entries(marks)) {
    const { score } = categories[name]
    if (score < mark) failed = true
    console.log(`${name.padEnd(16)} ${score.toFixed(2)}  (at least ${mark})`)
  }
  for (const id of shown) {
    if (audits[id].numericValue > most[id]) failed = true
    console.log(
      `  ${audits[id].title.padEnd(28)} ${audits[id].displayValue}${most[id] ? `  (at most ${most[id]})` : ''}`,
    )
  }
  for (const name of Object.keys(marks)) {
    for (const { id, weight } of categories[name].auditRefs) {
      const { score, title, displayValue } = audits[id]
      if (weight > 0 && score !== null && score < 0.9) console.log(`  ! ${name}: ${title} ${displayValue ?? ''}`)
    }
  }
  return failed
}

/** Signs a player in at the stand-in Discord, and returns the cookies of the session. */
async function signIn(player) {
  const cookies = new Map()
  const ask = async (url, init = {}) => {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, Cookie: sent } })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    return next ? ask(new URL(next, url).href) : { url, text: await answer.text() }
  }
  const consent = await ask(`${address}/auth/discord`)
  const id = new RegExp(`value="(\\d+)" aria-label="Continue as ${player}"`).exec(consent.text)?.[1]
  if (!id) throw new Error(`${player} is not at ${consent.url}`)
  await ask(consent.url, { method: 'POST', body: new URLSearchParams({ player: id }) })
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}
