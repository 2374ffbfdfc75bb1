// The texts of a request, as the server's core declares them (core/trade/fields.go).
import { rules } from './rules.gen'
import { t } from './texts'

export type FieldName = (typeof rules.fields)[number]['name']

/** The names of each text in the page's language: in forms and errors, on cards, and on the button that copies it. */
const names: Record<FieldName, { label: string; short: string; copied: string }> = {
  itemName: { label: t('lib_item_name'), short: t('common_item'), copied: '' },
  description: { label: t('common_description'), short: t('common_description'), copied: '' },
  buyerContact: { label: t('common_discord_username'), short: 'Discord', copied: t('lib_discord_name_copied') },
  ign: { label: t('common_in_game_name'), short: t('lib_in_game'), copied: t('lib_in_game_name_copied') },
}

const fields = rules.fields.map((field) => ({ ...field, ...names[field.name] }))

export type Field = (typeof fields)[number]

/** A value for each text. */
export const eachField = <V>(value: (field: Field) => V) =>
  Object.fromEntries(fields.map((field) => [field.name, value(field)])) as Record<FieldName, V>

/** What a card shows with a label. */
export const details = fields.filter(({ onCard }) => onCard)

/** What a row of a list shows beside the name. */
export const rowTexts = fields.filter(({ inRow }) => inRow)

type SharedField = Extract<Field, { shared: true }>

/** The texts that all requests of a list share. */
export const sharedFields = fields.filter((field): field is SharedField => field.shared)

/** Optional texts of one line: a form shows them beside each other. */
const optionalLines = <F extends Field>(of: readonly F[]) =>
  of.filter(({ required, kind }) => !required && kind !== 'prose')

export const formLines = optionalLines(fields)
export const sharedLines = optionalLines(sharedFields)

/** The names of the board's filters by a whole text: in addresses, in the API and in saved searches. */
type FilterName = Extract<Field, { onBoard: true }>['option']

/** The texts that a filter or a saved search has. */
export type FilterTexts = Partial<Record<FilterName, string>>

/** The filters by a whole text with what each is set to; empty for any. */
export const filterTexts = (filter: FilterTexts) =>
  fields
    .filter(({ onBoard }) => onBoard)
    .map(({ option, label, limit }) => ({
      option,
      label,
      limit,
      text: (filter as Record<string, string>)[option] ?? '',
    }))

/** The filters by a whole text, set from what they are set to now. */
export const mapFilterTexts = <V>(filter: FilterTexts, value: (text: string, limit: number) => V) =>
  Object.fromEntries(filterTexts(filter).map(({ option, text, limit }) => [option, value(text, limit)])) as Record<
    FilterName,
    V
  >
