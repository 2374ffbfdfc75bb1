import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { browserSkills } from '@/api/browserSkills'
import { keys } from '@/api/keys'
import { saveSkills, skillsQuery } from '@/api/skills'
import type { Skill } from '@/api/types'
import { useMe } from './useMe'

/** The user's skills: of the account, of a visitor in this browser. An account without skills uses those of the browser, until
 * they are kept in the account or discarded. They are loaded when they are wanted. */
export function useSkills(wanted: boolean) {
  const queryClient = useQueryClient()
  const { user, likely, isPending } = useMe()
  const ofBrowser = useSyncExternalStore(browserSkills.subscribe, browserSkills.get)
  const account = useQuery({ ...skillsQuery, enabled: user !== null && (wanted || ofBrowser.length > 0) })
  const ofAccount = user ? account.data : undefined
  const hasOwn = ofAccount !== undefined && ofAccount.length > 0

  useEffect(() => {
    if (hasOwn && ofBrowser.length > 0) browserSkills.set([])
  }, [hasOwn, ofBrowser])

  const signedIn = user !== null
  const save = useCallback(
    async (skills: Skill[], key: string) => {
      if (signedIn) queryClient.setQueryData(keys.skills, await saveSkills(skills, key))
      browserSkills.set(signedIn ? [] : skills)
      void queryClient.invalidateQueries({ queryKey: keys.fill })
    },
    [queryClient, signedIn],
  )

  return {
    skills: hasOwn ? ofAccount : ofBrowser,
    isPending: signedIn ? account.isPending && account.isFetching : isPending && likely,
    /** Whether they are those of an account, or will be once it answers. */
    ofAccount: signedIn || likely,
    /** Whether the account has none, and this browser has some that could be kept in it. */
    offered: ofAccount !== undefined && !hasOwn && ofBrowser.length > 0,
    save,
  }
}
