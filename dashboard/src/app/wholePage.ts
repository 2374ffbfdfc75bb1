import type { QueryClient } from '@tanstack/react-query'

const still = 50 // ms without a change: a list that has come may ask for another
const patience = 4_000 // ms; then the page shows itself that it is loading

/** Resolves once a page is whole: its code and its first data have come. One that is drawn bit by bit moves what is below each bit. */
export function whole(page: HTMLElement, queryClient: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout>
    const end = setTimeout(done, patience)
    const changes = new MutationObserver(changed)
    changes.observe(page, { childList: true, subtree: true })
    const stop = queryClient.getQueryCache().subscribe(changed)
    changed()

    function changed() {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (page.firstChild && !page.querySelector('[data-loading]') && queryClient.isFetching() === 0) done()
      }, still)
    }

    function done() {
      clearTimeout(end)
      clearTimeout(timer)
      changes.disconnect()
      stop()
      resolve()
    }
  })
}
