import { remember, remembered } from './storage'

/** The name, contact and message that a visitor last sent with an offer, remembered in this browser. */
type Visitor = { sellerName: string; sellerContact: string; message?: string }

const key = 'tradepost.visitor'

export function readVisitor(): Visitor | null {
  try {
    return JSON.parse(remembered(key) ?? 'null')
  } catch {
    return null
  }
}

/** Remembers who offered. A message with a number is about that offer only, and not remembered, as the server does it. */
export function saveVisitor({ sellerName, sellerContact, message = '' }: Visitor) {
  const general = /\p{N}/u.test(message) ? readVisitor()?.message : message
  remember(key, JSON.stringify({ sellerName, sellerContact, message: general }))
}

export const forgetVisitor = () => remember(key, null)
