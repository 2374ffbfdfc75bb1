// The values of the request form, and their conversion to and from the API. Every field is a string,
// as typed.
import type { Order, OrderDraft } from '@/api/types'
import { parseCopper, printCopper } from '@/lib/copper'
import { game } from '@/lib/game'
import { checkOrder, checkSuspicion, type FieldErrors } from '@/lib/validation'

export type OrderValues = {
  itemName: string
  quantity: string
  maxPricePerUnit: string
  description: string
  buyerContact: string
  levelRequirement: string
  ign: string
  category: string
  importance: string
  signedInOnly: string
}

export const blankOrder: OrderValues = {
  itemName: '',
  quantity: '',
  maxPricePerUnit: '',
  description: '',
  buyerContact: '',
  levelRequirement: '',
  ign: '',
  category: game.default,
  importance: 'medium',
  signedInOnly: 'no',
}

export function valuesOf(order: Order): OrderValues {
  return {
    itemName: order.itemName,
    quantity: String(order.quantity),
    maxPricePerUnit: printCopper(BigInt(order.maxPricePerUnit)),
    description: order.description,
    buyerContact: order.buyerContact,
    levelRequirement: order.levelRequirement === null ? '' : String(order.levelRequirement),
    ign: order.ign ?? '',
    category: order.category,
    importance: order.importance,
    signedInOnly: order.signedInOnly ? 'yes' : 'no',
  }
}

const numberOr = <T>(text: string, none: T): number | T => (text.trim() === '' ? none : Number(text))

export function draftOf(values: OrderValues): Required<OrderDraft> {
  const { copper = 0n } = parseCopper(values.maxPricePerUnit)
  return {
    itemName: values.itemName.trim(),
    quantity: numberOr(values.quantity, 0),
    maxPricePerUnit: Number(copper),
    description: values.description.trim(),
    buyerContact: values.buyerContact.trim(),
    levelRequirement: numberOr(values.levelRequirement, null),
    ign: values.ign.trim() || null,
    category: values.category as Order['category'],
    importance: values.importance as Order['importance'],
    signedInOnly: values.signedInOnly === 'yes',
  }
}

export function checkValues(values: OrderValues): FieldErrors {
  const price = parseCopper(values.maxPricePerUnit)
  const errors = checkOrder({ ...draftOf(values), maxPricePerUnit: price.copper ?? 0n })
  return price.error ? { ...errors, maxPricePerUnit: price.error } : errors
}

/** Validates a new request. */
export function checkNew(values: OrderValues): FieldErrors {
  const errors = checkValues(values)
  return Object.keys(errors).length > 0 ? errors : checkSuspicion(values)
}

/** Validates an edit: suspicious phrases that the request already has are allowed. */
export function checkEdit(values: OrderValues, order: Order): FieldErrors {
  return { ...checkSuspicion(values, order), ...checkValues(values) }
}
