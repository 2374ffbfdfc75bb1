// The rules of the forms, so that a mistake is named before anything is sent. The server holds the same rules; vectors in
// core/testdata keep the two from drifting apart.
import { type Copper, maxPrice, maxPriceMessage } from './copper'
import { categories, importances, limits } from './market'
import { cleanLine, cleanName, cleanProse, lengthOf } from './text'

export type FieldErrors = Record<string, string>

export const suspiciousMessage = 'Your post contains suspicious content. Please revise.'

class Checks {
  readonly errors: FieldErrors = {}

  /** Records the sentence for the field unless ok. A field keeps its first sentence. */
  that(ok: boolean, field: string, sentence: string) {
    if (!ok && !(field in this.errors)) this.errors[field] = sentence
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
  c.that(order.quantity <= limits.quantity, 'quantity', `Quantity must be ${limits.quantity} or less`)
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

const spamPhrases = ['free money', 'click here', 'urgent', 'limited time']

/** Tells whether the texts of a new request, joined by a space, hold one of the phrases of spam. */
export function isSuspicious(itemName: string, description: string): boolean {
  const text = cleanLine(`${cleanLine(itemName)} ${cleanProse(description)}`.normalize('NFKC')).toLowerCase()
  return spamPhrases.some((phrase) => text.includes(phrase))
}

/** Why something is reported, removed or blocked. */
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
  const quantity = offer.quantityOffered
  c.that(
    Number.isInteger(quantity) && quantity >= 1 && quantity <= total,
    'quantityOffered',
    `Choose a quantity from 1 to ${total}`,
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
  return c.errors
}
