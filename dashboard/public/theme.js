// Loaded in the head, before the page is painted. The toggle in the header writes the theme's key, useMe the other.
;(() => {
  var stored = null
  var signedIn = false
  try {
    stored = localStorage.getItem('tradepost.theme')
    signedIn = localStorage.getItem('tradepost.signed-in') === '1'
  } catch {
    // Storage may be forbidden; the system's preference stands.
  }
  document.documentElement.classList.toggle('signed-in', signedIn) // on a phone there are then no tabs above the board
  var dark = stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.classList.toggle('dark', dark)
  document.querySelector('meta[name="theme-color"]').content = dark ? '#0e1a1c' : '#f6f1e6'
})()
