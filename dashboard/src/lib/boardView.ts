import { site } from './site'
import { remember, remembered } from './storage'

/** How the board shows the requests. */
export type BoardView = 'cards' | 'list'

const key = 'tradepost.view'
const cookie = 'tradepost_view' // viewCookie on the server

const isView = (text: string | null): text is BoardView => text === 'cards' || text === 'list'

/** The view that an address names, else the one remembered in this browser, else the operator's. */
export function viewAt(params: URLSearchParams): BoardView {
  const asked = params.get('view')
  return isView(asked) ? asked : (rememberedView() ?? site.defaultView)
}

function rememberedView(): BoardView | null {
  const stored = remembered(key)
  return isView(stored) ? stored : null
}

export function rememberView(view: BoardView) {
  remember(key, view)
  tellServer()
}

/** The server draws the first requests of the board, so it has to know the view that is remembered here. */
export function tellServer() {
  const view = rememberedView()
  if (!view || document.cookie.split('; ').includes(`${cookie}=${view}`)) return
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${cookie}=${view}; path=/; max-age=31536000; samesite=lax`
}
