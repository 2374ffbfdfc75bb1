import type { Skill } from '@/api/types'
import { categoryName } from '@/lib/market'

/** A user's skills in a few words: "Miner 120, Chef 9". */
export const skillWords = (skills: readonly Skill[]): string =>
  skills.map(({ category, level }) => `${categoryName(category)} ${level}`).join(', ')
