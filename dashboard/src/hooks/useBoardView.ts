import { useCallback, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type BoardView, rememberView, viewAt } from '@/lib/boardView'
import { site } from '@/lib/site'

/** How the board shows the requests. The choice is remembered in this browser and stands in the address, so that a shared
 * link shows the same. */
export function useBoardView() {
  const { search, state } = useLocation()
  const params = new URLSearchParams(search)
  const navigate = useNavigate()
  const view = viewAt(params)

  const write = useCallback(
    (view: BoardView) => {
      const next = new URLSearchParams(window.location.search)
      next.set('view', view)
      if (view === 'cards') next.delete('request') // nothing is open beside the cards
      navigate({ search: String(next) }, { replace: true, state })
    },
    [navigate, state],
  )

  const missing = params.get('view') !== view && view !== site.defaultView
  useEffect(() => {
    if (missing) write(view)
  }, [missing, view, write])

  return {
    view,
    choose(view: BoardView) {
      rememberView(view)
      write(view)
    },
  }
}
