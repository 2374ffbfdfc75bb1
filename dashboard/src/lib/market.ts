// What the market knows: the lists and limits of the server's core, as tools/rules writes them.
import { game } from './game'
import { rules } from './rules.gen'

/** In display order. */
export const categories = game.professions.map(({ name }) => name)

export const importances = rules.importances

export const importanceNames: Record<(typeof importances)[number], string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  urgent: 'Urgent',
}

export const limits = rules.limits
