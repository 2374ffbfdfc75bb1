import { useQuery } from '@tanstack/react-query'
import { meQuery, nobody } from '@/api/me'

const hintKey = 'tradepost.signed-in'

/** Who is signed in, and the figures beside the tabs. Until the answer is there, `likely` says what it was last time, so
 * that the page is laid out right from the start. */
export function useMe() {
  const { data, isPending } = useQuery(meQuery)
  if (data) keepHint(data.user !== null)
  const { user, counts } = data ?? nobody
  return { user, counts, isPending, likely: data ? data.user !== null : readHint() }
}

function readHint(): boolean {
  try {
    return localStorage.getItem(hintKey) === '1'
  } catch {
    return false
  }
}

function keepHint(signedIn: boolean) {
  if (readHint() === signedIn) return
  try {
    if (signedIn) localStorage.setItem(hintKey, '1')
    else localStorage.removeItem(hintKey)
  } catch {
    // Storage may be forbidden: the layout then settles a moment later.
  }
}
