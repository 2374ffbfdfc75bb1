// What the market knows: the same lists and limits as the server's core.
import { game } from './game'

/** In the order in which people see them. */
export const categories = game.professions.map(({ name }) => name)

export const importances = ['low', 'medium', 'high', 'urgent'] as const

export const limits = {
  quantity: 1_000_000,
  level: 500,
  itemName: 100,
  description: 1000,
  contact: 64,
  inGameName: 64,
  sellerName: 64,
  message: 500,
  notes: 500,
  reason: 500,
} as const
