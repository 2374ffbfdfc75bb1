import { useQuery } from '@tanstack/react-query'
import { meQuery, signedOut } from '@/api/me'

const hintKey = 'tradepost.signed-in'

/** Who is signed in, and the counts beside the tabs. Until the server answers, `likely` is the last
 * known state, so that the layout is right from the start. */
export function useMe() {
  const { data, isPending } = useQuery(meQuery)
  if (data) saveHint(data.user !== null)
  const { user, counts } = data ?? signedOut
  return { user, counts, isPending, likely: data ? data.user !== null : readHint() }
}

function readHint(): boolean {
  try {
    return localStorage.getItem(hintKey) === '1'
  } catch {
    return false
  }
}

function saveHint(signedIn: boolean) {
  if (readHint() === signedIn) return
  try {
    if (signedIn) localStorage.setItem(hintKey, '1')
    else localStorage.removeItem(hintKey)
  } catch {
    // Storage may be blocked: the layout then shifts once the server answers.
  }
}
