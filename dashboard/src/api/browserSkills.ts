/** A visitor's skills, kept in this browser until they sign in to an account that has its own. */

import { localStore } from '@/lib/localStore'
import { categories, limits } from '@/lib/market'
import type { Skill } from './types'

const isSkill = (value: unknown): value is Skill => {
  const { category, level } = (value ?? {}) as Partial<Skill>
  return (categories as string[]).includes(category ?? '') && Number.isInteger(level) && isLevel(level ?? 0)
}

const isLevel = (level: number) => level >= 1 && level <= limits.level

export const browserSkills = localStore<Skill>('tradepost.skills', isSkill)
