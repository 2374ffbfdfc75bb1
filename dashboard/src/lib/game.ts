import asItComes from '../../../core/game.json'
import { said } from './site'

/** How a coin is drawn. */
export type Look = 'platinum' | 'gold' | 'silver' | 'copper'

/** What sets one community's market apart from another's, as core.Game on the server. */
export type Game = {
  professions: { name: string; icon: string }[]
  /** What a request belongs to when its buyer did not say. */
  default: string
  /** From the largest to the smallest, each worth so many of the smallest. */
  coins: { name: string; letter: string; worth: number; look: Look }[]
  /** An amount that messages show. */
  example: string
}

const told = said('game')

/** The game that is played. The server says in the head of the page when it is another than the one that comes along. */
export const game = (told ? JSON.parse(told) : asItComes) as Game
