import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '@/app/App'
import '@/app/index.css'

const root = document.getElementById('root')
if (root) {
  const page = createRoot(root)
  // In small steps: a slow phone stays able to scroll, and shows what the document holds meanwhile.
  startTransition(() =>
    page.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
