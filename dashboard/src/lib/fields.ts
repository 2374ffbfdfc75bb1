// The texts of a request, as the server's core declares them (core/trade/fields.go).
import { rules } from './rules.gen'

const fields = rules.fields

export type Field = (typeof fields)[number]
export type FieldName = Field['name']

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
