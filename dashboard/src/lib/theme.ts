import { remember, remembered } from './storage'

type Theme = 'light' | 'dark'

// public/theme.js reads the same key before the page is painted.
const key = 'tradepost.theme'
const paintDelay = 100 // ms until the change is painted
const paper: Record<Theme, string> = { light: '#f6f1e6', dark: '#0e1a1c' }

const listeners = new Set<() => void>()
let coming: Theme | undefined // until it is applied

/** Calls the listener after each change of the theme. */
export function subscribeTheme(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const currentTheme = (): Theme => coming ?? themeOf(document.documentElement)

const themeOf = ({ classList }: Element): Theme => (classList.contains('dark') ? 'dark' : 'light')

/** Shows a theme. A new one gives every element on the page new colours, which takes a slow phone a while with a thousand
 * requests: what was pressed answers before it. */
function showTheme(theme: Theme) {
  coming = theme
  for (const listener of listeners) listener()
  if (document.visibilityState === 'hidden') apply()
  else requestAnimationFrame(() => setTimeout(apply))
}

function apply() {
  const theme = currentTheme()
  coming = undefined
  const { classList } = document.documentElement
  classList.add('theme-changing')
  classList.toggle('dark', theme === 'dark')
  setTimeout(() => classList.remove('theme-changing'), paintDelay)
  document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.setAttribute('content', paper[theme])
}

/** Applies the theme and remembers it in this browser. */
export function saveTheme(theme: Theme) {
  showTheme(theme)
  remember(key, theme)
}

/** Follows the system preference unless a theme is stored. Returns a function that stops it. */
export function followSystem(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => {
    if (remembered(key)) return
    showTheme(system.matches ? 'dark' : 'light')
  }
  system.addEventListener('change', follow)
  return () => system.removeEventListener('change', follow)
}
