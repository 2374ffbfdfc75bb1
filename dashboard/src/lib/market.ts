// What the market knows: the lists and limits of the server's core, as tools/rules writes them.
import { game } from './game'
import { rules } from './rules.gen'
import { metaContent } from './site'
import { t } from './texts'

/** In display order. */
export const categories = game.professions.map(({ name }) => name)

const named = metaContent('categories').split('\n')

/** The name of a profession in the page's language. */
export const categoryName = (name: string): string => named[categories.indexOf(name)] || name

export const importances = rules.importances

export const importanceNames: Record<(typeof importances)[number], string> = {
  low: t('lib_low'),
  medium: t('lib_medium'),
  high: t('lib_high'),
  urgent: t('lib_urgent'),
}

export const limits = rules.limits
