// What this browser remembers of how its user finds requests.
import { remember, remembered } from './storage'

const forMeKey = 'tradepost.for-me'
const boardKey = 'tradepost.board'

/** Reports whether the board was last limited to what the user's skills are enough for. */
export const wasForMe = () => remembered(forMeKey) === '1'

export const rememberForMe = (on: boolean) => remember(forMeKey, on ? '1' : null)

/** The query of the board as it was last shown in this tab: empty, or with its question mark. */
export const lastBoard = () => remembered(boardKey, 'tab') ?? ''

export const rememberBoard = (search: string) => remember(boardKey, search || null, 'tab')

/** Forgets it when the user signs out. */
export function forgetFinding() {
  rememberForMe(false)
  rememberBoard('')
}
