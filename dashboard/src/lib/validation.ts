// The validation rules of the forms, checked before anything is sent. The server has the same rules;
// test vectors in core/testdata keep the two in step. The rules are those of the values that are sent; `typed` is what
// a field holds before.

import * as z from 'zod/mini'
import { maxPrice, maxPriceMessage, parseCopper } from './copper'
import { eachField, type Field } from './fields'
import { categories, importances, limits } from './market'
import { addsSuspicion } from './suspicion'
import { cleanLine, cleanName, cleanProse, lengthOf } from './text'
import { t } from './texts'

// Otherwise zod tries whether it may compile code, which the content security policy forbids and reports.
z.config({ jitless: true })

const suspiciousPost = t('lib_suspicious_post')
const suspiciousMessage = t('lib_suspicious_message')

type Clean = (text: string) => string

/** A text that may be empty. It is measured as the server stores it. */
const optional = (label: string, limit: number, clean: Clean) =>
  z.string().check(
    z.trim(),
    z.refine<string>((text) => lengthOf(clean(text)) <= limit, t('lib_too_long', { label, limit: String(limit) })),
  )

const required = (label: string, limit: number, clean: Clean) =>
  optional(label, limit, clean).check(z.refine((text) => clean(text) !== '', t('lib_required', { label })))

const unsuspicious = z.refine<string>((text) => !addsSuspicion(cleanProse(text)), suspiciousMessage)

/** A number with rules of its own: zod's would refuse what is not a number with a sentence of its own. */
const number = () => z.custom<number>()

const isWholeWithin = (n: number, min: number, max: number) => Number.isInteger(n) && n >= min && n <= max

const typedText = z.string().check(z.trim())

/** What a field for a number holds, and the number; an empty field is `none`. */
export const typedNumber = <N>(none: N) =>
  z.pipe(
    typedText,
    z.transform((text) => (text === '' ? none : Number(text))),
  )

/** What a field for an amount holds, and the amount. */
export const typedCopper = z.pipe(
  z.string(),
  z.transform((text, { issues }) => {
    const { copper, error } = parseCopper(text)
    if (error) issues.push({ code: 'custom', message: error, input: text, continue: true })
    return Number(copper ?? 0n)
  }),
)

/** What a field that may be empty holds, and the text; null if it is empty. */
export const typedTextOrNone = z.pipe(
  typedText,
  z.transform((text) => text || null),
)

const clean: Record<Field['kind'], Clean> = { line: cleanLine, name: cleanName, prose: cleanProse }
const texts = eachField((field) => (field.required ? required : optional)(field.label, field.limit, clean[field.kind]))

export const orderRules = {
  ...texts,
  ign: z.nullable(texts.ign),
  quantity: number().check(
    z.refine((n) => n > 0, t('lib_quantity_not_positive')),
    z.refine((n) => n <= limits.quantity, t('lib_quantity_too_high', { most: limits.quantity })),
    z.refine(Number.isInteger, t('lib_quantity_not_whole')),
  ),
  maxPricePerUnit: number().check(
    z.refine((copper) => copper > 0, t('lib_price_not_positive')),
    z.refine((copper) => copper <= maxPrice, maxPriceMessage),
  ),
  levelRequirement: z
    .custom<number | null>()
    .check(
      z.refine(
        (level) => level === null || isWholeWithin(level, 1, limits.level),
        t('lib_level_range', { most: limits.level }),
      ),
    ),
  category: z
    .string()
    .check(z.refine((name) => categories.includes(name), t('lib_category_not_listed', { count: categories.length }))),
  importance: z.enum(importances, t('lib_importance_unknown')),
}

type Described = { itemName: string; description: string }

/** Refuses the phrases that spam uses in a new request. It speaks only when nothing else is wrong, as the server does. */
export const unsuspiciousPost = z.superRefine<Described>((order, payload) => {
  if (payload.issues.length === 0) refuseSuspicious(order, { itemName: '', description: '' }, payload)
})

/** Refuses such phrases where an edit adds them. */
export const unsuspiciousEdit = (before: Described) =>
  z.superRefine<Described>((order, payload) => refuseSuspicious(order, before, payload))

type Refusing = { addIssue: (issue: { code: 'custom'; message: string; path: string[]; continue: true }) => void }

function refuseSuspicious(order: Described, before: Described, payload: Refusing) {
  const refuse = (field: keyof Described) =>
    payload.addIssue({ code: 'custom', message: suspiciousPost, path: [field], continue: true })
  const after = { itemName: cleanLine(order.itemName), description: cleanProse(order.description) }
  const name = addsSuspicion(after.itemName, before.itemName)
  const description = addsSuspicion(after.description, before.description)
  if (name) refuse('itemName')
  const together = ({ itemName, description }: Described) => `${itemName} ${description}`
  if (description || (!name && addsSuspicion(together(after), together(before)))) refuse('description')
}

/** The reason for a report, a removal or a block. */
export const reasonForm = z.object({ reason: required(t('lib_reason'), limits.reason, cleanProse) })

/** How many of an offer, of so many at most. */
const countUpTo = (total: number) =>
  number().check(z.refine((n) => isWholeWithin(n, 1, total), t('lib_quantity_range', { most: total })))

/** An offer on a request for so many. */
export const offerRules = (total: number) => ({
  sellerName: required(t('lib_your_name'), limits.sellerName, cleanName),
  sellerContact: required(t('common_discord_username'), limits.contact, cleanName),
  message: required(t('common_message'), limits.message, cleanProse).check(unsuspicious),
  quantityOffered: countUpTo(total),
})

export const offerForm = (total: number) => {
  const rules = offerRules(total)
  return z.object({ ...rules, quantityOffered: z.pipe(typedNumber(0), rules.quantityOffered) })
}

/** How many of an offer are accepted: as many as there are, if more is typed. */
export const acceptForm = (limit: number) => {
  const clamped = z.transform((n: number) => Math.min(n, limit))
  return z.object({ quantity: z.pipe(z.pipe(typedNumber(0), clamped), countUpTo(limit)) })
}

/** A sale of a request that still needs so many. */
export const saleRules = (remaining: number) => ({
  quantitySold: number().check(
    z.refine((n) => n > 0, t('lib_sold_not_positive')),
    z.refine((n) => n <= remaining, t('lib_sold_over', { remaining: String(remaining) })),
    z.refine(Number.isInteger, t('lib_sold_not_whole')),
  ),
  notes: z.nullable(optional(t('lib_notes'), limits.notes, cleanProse).check(unsuspicious)),
})

export const saleForm = (remaining: number) => {
  const rules = saleRules(remaining)
  return z.object({
    quantitySold: z.pipe(typedNumber(0), rules.quantitySold),
    notes: z.pipe(typedTextOrNone, rules.notes),
  })
}

/** Which notices are sent as direct messages, and when those wait: both times or none. */
export const noticeSettingsForm = z
  .object({
    kinds: z.record(z.string(), z.boolean()),
    quietFrom: typedTextOrNone,
    quietTo: typedTextOrNone,
    gatherOffers: z.boolean(),
  })
  .check(
    z.refine(({ quietFrom, quietTo }) => quietFrom !== null || quietTo === null, {
      path: ['quietFrom'],
      message: t('lib_quiet_start'),
    }),
    z.refine(({ quietFrom, quietTo }) => quietTo !== null || quietFrom === null, {
      path: ['quietTo'],
      message: t('lib_quiet_end'),
    }),
  )
