export type Theme = 'light' | 'dark'

// public/theme.js reads the same key before the page is painted.
const key = 'tradepost.theme'
const settled = 100 // ms until the change has been painted
const paper: Record<Theme, string> = { light: '#f6f1e6', dark: '#0e1a1c' }

export function currentTheme(): Theme {
  return document.documentElement.classList.contains('dark') ? 'dark' : 'light'
}

export function showTheme(theme: Theme) {
  const { classList } = document.documentElement
  classList.add('theme-changing')
  classList.toggle('dark', theme === 'dark')
  setTimeout(() => classList.remove('theme-changing'), settled)
  document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.setAttribute('content', paper[theme])
}

/** Shows the theme from now on, in this browser. */
export function keepTheme(theme: Theme) {
  showTheme(theme)
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
}

/** Follows the system as long as nothing was chosen. Returns how to stop. */
export function followSystem(changed: (theme: Theme) => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => {
    if (storedTheme()) return
    const theme = system.matches ? 'dark' : 'light'
    showTheme(theme)
    changed(theme)
  }
  system.addEventListener('change', follow)
  return () => system.removeEventListener('change', follow)
}

function storedTheme(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
