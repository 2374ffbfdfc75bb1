// The validation rules of the forms, checked before anything is sent. The server has the same rules;
// test vectors in core/testdata keep the two in step.

import { type Copper, maxPrice, maxPriceMessage } from './copper'
import { formatNumber } from './format'
import { categories, importances, limits } from './market'
import { addsSuspicion } from './suspicion'
import { cleanLine, cleanName, cleanProse, lengthOf } from './text'

export type FieldErrors = Record<string, string>

const suspiciousPost = 'Your post contains suspicious content. Please revise.'
const suspiciousMessage = 'Your message contains suspicious content. Please revise.'

class Checks {
  readonly errors: FieldErrors = {}

  /** Records the message for the field unless ok. A field keeps its first message. */
  that(ok: boolean, field: string, message: string) {
    if (!ok && !(field in this.errors)) this.errors[field] = message
  }

  text(value: string, field: string, label: string, limit: number, required?: string) {
    if (required) this.that(value !== '', field, required)
    this.that(lengthOf(value) <= limit, field, `${label} must be ${limit} characters or fewer`)
  }
}

export type OrderFields = {
  itemName: string
  quantity: number
  maxPricePerUnit: Copper
  description: string
  buyerContact: string
  levelRequirement: number | null
  ign: string | null
  category: string
  importance: string
}

export function checkOrder(order: OrderFields): FieldErrors {
  const c = new Checks()
  c.text(cleanLine(order.itemName), 'itemName', 'Item name', limits.itemName, 'Item name is required')
  c.that(order.quantity > 0, 'quantity', 'Quantity must be greater than 0')
  c.that(order.quantity <= limits.quantity, 'quantity', `Quantity must be ${formatNumber(limits.quantity)} or less`)
  c.that(Number.isInteger(order.quantity), 'quantity', 'Quantity must be a whole number')
  c.that(order.maxPricePerUnit > 0n, 'maxPricePerUnit', 'Max price must be greater than 0')
  c.that(order.maxPricePerUnit <= maxPrice, 'maxPricePerUnit', maxPriceMessage)
  c.text(cleanProse(order.description), 'description', 'Description', limits.description)
  c.text(
    cleanName(order.buyerContact),
    'buyerContact',
    'Discord username',
    limits.contact,
    'Discord username is required',
  )
  c.text(cleanName(order.ign ?? ''), 'ign', 'In-game name', limits.inGameName)
  const level = order.levelRequirement
  c.that(
    level === null || (Number.isInteger(level) && level >= 1 && level <= limits.level),
    'levelRequirement',
    `Level requirement must be between 1 and ${limits.level}`,
  )
  c.that(
    categories.some((known) => known === order.category),
    'category',
    `Choose one of the ${categories.length} categories`,
  )
  c.that(
    importances.some((known) => known === order.importance),
    'importance',
    'Importance must be low, medium, high or urgent',
  )
  return c.errors
}

type Described = { itemName: string; description: string }

/** Checks a new request, or the text that an edit adds, for phrases that spam uses. */
export function checkSuspicion(order: Described, before: Described = { itemName: '', description: '' }): FieldErrors {
  const c = new Checks()
  const after = { itemName: cleanLine(order.itemName), description: cleanProse(order.description) }
  c.that(!addsSuspicion(after.itemName, before.itemName), 'itemName', suspiciousPost)
  c.that(!addsSuspicion(after.description, before.description), 'description', suspiciousPost)
  if (Object.keys(c.errors).length === 0) {
    const together = ({ itemName, description }: Described) => `${itemName} ${description}`
    c.that(!addsSuspicion(together(after), together(before)), 'description', suspiciousPost)
  }
  return c.errors
}

/** Checks the reason for a report, a removal or a block. */
export function checkReason(reason: string): FieldErrors {
  const c = new Checks()
  c.text(cleanProse(reason), 'reason', 'Reason', limits.reason, 'Reason is required')
  return c.errors
}

export type OfferFields = { sellerName: string; sellerContact: string; message: string; quantityOffered: number }

export function checkOffer(offer: OfferFields, total: number): FieldErrors {
  const c = new Checks()
  c.text(cleanName(offer.sellerName), 'sellerName', 'Your name', limits.sellerName, 'Your name is required')
  c.text(
    cleanName(offer.sellerContact),
    'sellerContact',
    'Discord username',
    limits.contact,
    'Discord username is required',
  )
  c.text(cleanProse(offer.message), 'message', 'Message', limits.message, 'Message is required')
  c.that(!addsSuspicion(cleanProse(offer.message)), 'message', suspiciousMessage)
  const quantity = offer.quantityOffered
  c.that(
    Number.isInteger(quantity) && quantity >= 1 && quantity <= total,
    'quantityOffered',
    `Choose a quantity from 1 to ${formatNumber(total)}`,
  )
  return c.errors
}

export type SaleFields = { quantitySold: number; notes: string | null }

export function checkSale(sale: SaleFields, remaining: number): FieldErrors {
  const c = new Checks()
  c.that(sale.quantitySold > 0, 'quantitySold', 'Quantity sold must be greater than 0')
  c.that(sale.quantitySold <= remaining, 'quantitySold', `Cannot sell more than remaining quantity (${remaining})`)
  c.that(Number.isInteger(sale.quantitySold), 'quantitySold', 'Quantity sold must be a whole number')
  c.text(cleanProse(sale.notes ?? ''), 'notes', 'Notes', limits.notes)
  c.that(!addsSuspicion(cleanProse(sale.notes ?? '')), 'notes', suspiciousMessage)
  return c.errors
}
