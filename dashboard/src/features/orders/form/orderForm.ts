// The values of the request form, and their conversion to and from the API. Every field is a string,
// as typed; the schema makes of them what is sent.
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import type { Order } from '@/api/types'
import { printCopper } from '@/lib/copper'
import { eachField, type FieldName } from '@/lib/fields'
import { game } from '@/lib/game'
import { isOn } from '@/lib/site'
import {
  orderRules,
  typedCopper,
  typedNumber,
  typedTextOrNone,
  unsuspiciousEdit,
  unsuspiciousPost,
} from '@/lib/validation'

export type OrderValues = Record<FieldName, string> & {
  quantity: string
  maxPricePerUnit: string
  levelRequirement: string
  category: string
  importance: string
  signedInOnly: string
  noPrograms: string
}

export const blankOrder: OrderValues = {
  ...eachField(() => ''),
  quantity: '',
  maxPricePerUnit: '',
  levelRequirement: '',
  category: game.default,
  importance: 'medium',
  signedInOnly: 'no',
  noPrograms: 'no',
}

export function valuesOf(order: Order): OrderValues {
  return {
    ...eachField(({ name }) => order[name] ?? ''),
    quantity: String(order.quantity),
    maxPricePerUnit: printCopper(BigInt(order.maxPricePerUnit)),
    levelRequirement: order.levelRequirement === null ? '' : String(order.levelRequirement),
    category: order.category,
    importance: order.importance,
    signedInOnly: order.signedInOnly ? 'yes' : 'no',
    noPrograms: order.noPrograms ? 'yes' : 'no',
  }
}

const form = z.object({
  ...orderRules,
  quantity: z.pipe(typedNumber(0), orderRules.quantity),
  maxPricePerUnit: z.pipe(typedCopper, orderRules.maxPricePerUnit),
  levelRequirement: z.pipe(typedNumber(null), orderRules.levelRequirement),
  ign: z.pipe(typedTextOrNone, orderRules.ign),
  category: z.pipe(
    orderRules.category,
    z.transform((name) => name as Order['category']),
  ),
  signedInOnly: z.pipe(
    z.string(),
    z.transform((answer) => answer === 'yes'),
  ),
  // Without programs a market does not know the term.
  noPrograms: z.pipe(
    z.string(),
    z.transform((answer) => (isOn('tokens') ? answer === 'yes' : undefined)),
  ),
} satisfies Record<keyof OrderValues, unknown>)

/** The schema of a new request. It returns what is posted. */
export const newOrderForm = form.check(unsuspiciousPost)

/** What is posted. */
export type NewOrder = z.output<typeof newOrderForm>

export type OrderForm = UseFormReturn<OrderValues, unknown, NewOrder>

/** The schema of an edit. Suspicious phrases that the request already has are allowed. */
export const editForm = (order: Order) => form.check(unsuspiciousEdit(order))
