// Loaded in the head, before the page is painted. The toggle in the header writes the same key.
;(() => {
  var stored = null
  try {
    stored = localStorage.getItem('tradepost.theme')
  } catch {
    // Storage may be forbidden; the system's preference stands.
  }
  var dark = stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.classList.toggle('dark', dark)
  document.querySelector('meta[name="theme-color"]').content = dark ? '#0e1a1c' : '#f6f1e6'
})()
