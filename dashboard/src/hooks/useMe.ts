import { useQuery } from '@tanstack/react-query'
import { meQuery, signedOut } from '@/api/me'
import { remember, remembered } from '@/lib/storage'

const hintKey = 'tradepost.signed-in'
const todoKey = 'tradepost.todo'

/** Who is signed in, and the counts beside the tabs. Until the server answers, `likely` is the last
 * known state, so that the layout is right from the start. */
export function useMe() {
  const { data, isPending } = useQuery(meQuery)
  if (data) {
    save(hintKey, data.user ? String(data.user.id) : null)
    save(todoKey, data.todo.length > 0 ? '1' : null)
  }
  const { user, counts, todo } = data ?? signedOut
  return { user, counts, todo, isPending, likely: data ? data.user !== null : wasSignedIn() }
}

/** Reports whether this browser's user was signed in when the page was last open. */
export const wasSignedIn = () => remembered(hintKey) !== null

// public/theme.js reads them before the page is painted.
function save(key: string, value: string | null) {
  if (remembered(key) !== value) remember(key, value)
}
