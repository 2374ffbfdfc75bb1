import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '@/app/App'
import '@/app/index.css'

const root = document.getElementById('root')
if (root) {
  const page = createRoot(root)
  // As a transition: a slow phone stays responsive and shows the static document meanwhile.
  startTransition(() =>
    page.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
