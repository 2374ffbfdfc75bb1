import defaultGame from '../../../core/game/game.json'
import { metaContent } from './site'

/** How a coin is drawn. */
export type CoinStyle = 'platinum' | 'gold' | 'silver' | 'copper'

/** What sets one community's market apart from another's, as core.Game on the server. */
type Game = {
  professions: { name: string; icon: string }[]
  /** The default profession of a new request. */
  default: string
  /** From largest to smallest, each with its worth in the smallest coin. */
  coins: { name: string; letter: string; worth: number; look: CoinStyle }[]
  /** An example amount for messages. */
  example: string
}

const custom = metaContent('game')

/** The game in use. If it is not the default, the server writes it into the head of the page. */
export const game = (custom ? JSON.parse(custom) : defaultGame) as Game
