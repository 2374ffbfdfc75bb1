import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { keys } from '@/api/keys'
import { forgetOwn, forgetUser, meQuery } from '@/api/me'
import { hearTabs, tellTabs, whenDoubted } from '@/api/session'
import { say } from '@/lib/toasts'

/** Follows who is signed in, whoever changes it: this tab, another one, or time. Returns the number of the session on this
 * page. What stands on the page is drawn anew with each, so that nothing acts for somebody who is gone. */
export function useSession(): number {
  const queryClient = useQueryClient()
  const { data } = useQuery(meQuery)
  const id = data ? (data.user?.id ?? null) : undefined // unknown until the answer is there
  const known = useRef<number | null | undefined>(undefined)
  const [session, setSession] = useState(0)

  useLayoutEffect(() => {
    const before = known.current
    if (id === undefined || id === before) return
    known.current = id
    if (id !== null) tellTabs({ kind: 'here', user: id })
    if (before === undefined) return
    forgetOwn(queryClient)
    setSession((n) => n + 1)
    if (id === null) say('You are signed out.')
  }, [id, queryClient])

  useEffect(
    () =>
      hearTabs((news) => {
        if (news.kind === 'left') forgetUser(queryClient)
        // Until the server has said who it is, nobody is: a pending reader sends nothing.
        else if (news.user !== known.current) void queryClient.resetQueries({ queryKey: keys.me })
      }),
    [queryClient],
  )
  useEffect(() => whenDoubted(() => void queryClient.invalidateQueries({ queryKey: keys.me })), [queryClient])
  return session
}
