// The entry: it waits for the first paint, so that nothing is loaded or run before the document itself is seen.
import '@/app/index.css'

/** Resolves once something is painted. A page in the background is never painted. */
const painted = new Promise<void>((resolve) => {
  if (document.visibilityState === 'hidden') return resolve()
  requestAnimationFrame(() => setTimeout(resolve))
})

painted.then(() => import('@/app/start')).then(({ start }) => start())
