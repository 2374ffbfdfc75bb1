import type { QueryClient } from '@tanstack/react-query'
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { tellServer } from '@/lib/boardView'
import { App, makeQueryClient } from './App'
import { loadFirstLook } from './firstLook'
import { followUse } from './takeOver'

/** Puts the page in the place of what the document shows. */
export async function start() {
  const root = document.getElementById('root')
  if (!root) return
  const takeOver = followUse(root)
  const queryClient = makeQueryClient()
  tellServer()
  // The board is drawn as the document shows it. Any other page is drawn behind that, and comes forward once it is whole.
  if (root.querySelector('[data-first-look]')) {
    await loadFirstLook(root, queryClient)
    return render(root, queryClient, () => takeOver(root))
  }
  const page = document.createElement('div')
  page.className = 'invisible'
  page.inert = true
  root.className = 'absolute inset-x-0 top-0'
  root.after(page)
  render(page, queryClient)
  await import('./wholePage').then(({ whole }) => whole(page, queryClient)).catch(() => {})
  root.remove()
  page.id = root.id
  page.className = ''
  page.inert = false
  takeOver(page)
}

function render(into: HTMLElement, queryClient: QueryClient, onMount = () => {}) {
  const page = createRoot(into)
  // As a transition: a slow phone stays responsive and shows the document meanwhile.
  startTransition(() =>
    page.render(
      <StrictMode>
        <Mounted onMount={onMount}>
          <App queryClient={queryClient} />
        </Mounted>
      </StrictMode>,
    ),
  )
}

function Mounted({ onMount, children }: { onMount: () => void; children: ReactNode }) {
  useLayoutEffect(onMount, [onMount])
  return children
}
