import { useQuery } from '@tanstack/react-query'
import { meQuery, signedOut } from '@/api/me'

const hintKey = 'tradepost.signed-in'

/** Who is signed in, and the counts beside the tabs. Until the server answers, `likely` is the last
 * known state, so that the layout is right from the start. */
export function useMe() {
  const { data, isPending } = useQuery(meQuery)
  if (data) saveHint(data.user?.id)
  const { user, counts } = data ?? signedOut
  return { user, counts, isPending, likely: data ? data.user !== null : readHint() !== null }
}

function readHint(): string | null {
  try {
    return localStorage.getItem(hintKey)
  } catch {
    return null
  }
}

// public/theme.js reads it before the page is painted.
function saveHint(userId: number | undefined) {
  const hint = userId === undefined ? null : String(userId)
  if (readHint() === hint) return
  try {
    if (hint) localStorage.setItem(hintKey, hint)
    else localStorage.removeItem(hintKey)
  } catch {
    // Storage may be blocked: the layout then shifts once the server answers.
  }
}
