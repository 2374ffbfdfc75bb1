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
  await loadFirstLook(root, queryClient)
  const page = createRoot(root)
  // As a transition: a slow phone stays responsive and shows the document meanwhile.
  startTransition(() =>
    page.render(
      <StrictMode>
        <Mounted onMount={takeOver}>
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
