import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys } from './keys'
import type { Skill } from './types'

/** The signed-in user's skills. */
export const skillsQuery = queryOptions({
  queryKey: keys.skills,
  queryFn: async ({ signal }) => (await read(client.GET('/api/me/skills', { signal }))).skills,
  staleTime: 5 * 60_000,
})

export const saveSkills = async (skills: Skill[], key: string) =>
  (await read(client.PUT('/api/me/skills', { body: { skills }, params: keyed(key) }))).skills
