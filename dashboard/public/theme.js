// Loaded in the head, before the page is painted. The toggle in the header writes the theme's key, useMe the user's, and
// boardView the view's.
;(() => {
  var root = document.documentElement
  var stored = {}
  try {
    for (const name of ['theme', 'signed-in', 'todo', 'view', 'for-me'])
      stored[name] = localStorage.getItem(`tradepost.${name}`)
  } catch {
    // Storage may be forbidden; the system's preference stands.
  }
  var user = Number(stored['signed-in'])
  root.classList.toggle('signed-in', user > 0) // other places are shown then
  root.classList.toggle('todo', user > 0 && stored.todo === '1') // above the board is a line of what waits
  var dark = stored.theme ? stored.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.classList.toggle('dark', dark)
  document.querySelector('meta[name="theme-color"]').content = dark ? '#0e1a1c' : '#f6f1e6'

  // What the server draws is the same for everybody (web/firstlook). Here it is fitted to this browser.
  if (stored.view && !/[?&]view=(cards|list)/.test(location.search)) root.dataset.view = stored.view
  root.classList.toggle('for-me', stored['for-me'] === '1') // another list is shown
  if (user > 0) {
    // The user's own requests look different, and are left blank until the page draws them.
    const own = document.createElement('style')
    own.textContent = `[data-first-look] [data-by="${user}"] > * { visibility: hidden }`
    document.head.append(own)
  }

  // The page's scripts are in a template (scripts/ahead.ts), so that nothing is loaded before the document is seen. A page in
  // the background is never painted.
  var parsedAll = new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
  var painted = new Promise((resolve) => {
    if (document.visibilityState === 'hidden') return resolve()
    document.addEventListener('visibilitychange', resolve, { once: true })
    if (PerformanceObserver.supportedEntryTypes.includes('paint'))
      new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    else requestAnimationFrame(() => setTimeout(resolve))
  })
  Promise.all([parsedAll, painted]).then(() => {
    const ahead = document.querySelector('#ahead')
    if (ahead) document.head.append(ahead.content)
  })

  // Numbers and days in the form of this browser where it speaks the document's language, as src/lib/format.ts writes them.
  var own = navigator.language || 'en'
  var locale = !root.lang || own.split('-')[0] === root.lang ? own : root.lang
  var relative // made when it is needed: that takes as long as all else here
  var midnight = (date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  function adapt(element) {
    var text
    if (element.localName === 'data') {
      const compact = { notation: 'compact', maximumFractionDigits: 1 }
      text = new Intl.NumberFormat(locale, 'compact' in element.dataset ? compact : {}).format(element.value)
    } else {
      const days = Math.round((midnight(new Date(element.dateTime)) - midnight(new Date())) / 86_400_000)
      relative ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
      text = relative.format(days, 'day')
    }
    if (element.textContent !== text) element.textContent = text
  }
  var wanted = '[data-first-look] :is(data, time[data-day])'
  var parsed = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.nodeType === 1 && node.matches(wanted)) adapt(node)
  })
  parsed.observe(root, { childList: true, subtree: true })
  var done = () => {
    parsed.disconnect()
    for (const element of document.querySelectorAll(wanted)) adapt(element)
  }
  document.addEventListener('readystatechange', done, { once: true })
})()
