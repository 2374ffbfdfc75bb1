import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { keys } from '@/api/keys'
import { clearOwnQueries, markSignedOut, meQuery } from '@/api/me'
import { notifyTabs, onReportedSignedOut, onTabMessage } from '@/api/session'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** Follows who is signed in, whether this tab, another tab or an expired session changes it. Returns
 * a counter of sessions on this page. The page remounts with each, so that nothing acts for the
 * previous user. */
export function useSession(): number {
  const queryClient = useQueryClient()
  const { data } = useQuery(meQuery)
  const id = data ? (data.user?.id ?? null) : undefined // unknown until the response arrives
  const known = useRef<number | null | undefined>(undefined)
  const [session, setSession] = useState(0)

  useLayoutEffect(() => {
    const before = known.current
    if (id === undefined || id === before) return
    known.current = id
    if (id !== null) notifyTabs({ kind: 'here', user: id })
    if (before === undefined) return
    clearOwnQueries(queryClient)
    setSession((n) => n + 1)
    if (id === null) showToast(t('app_signed_out'))
  }, [id, queryClient])

  useEffect(
    () =>
      onTabMessage((message) => {
        if (message.kind === 'left') markSignedOut(queryClient)
        // Until the server confirms the user, the page counts as pending and sends nothing.
        else if (message.user !== known.current) void queryClient.resetQueries({ queryKey: keys.me })
      }),
    [queryClient],
  )
  useEffect(() => onReportedSignedOut(() => void queryClient.invalidateQueries({ queryKey: keys.me })), [queryClient])
  return session
}
