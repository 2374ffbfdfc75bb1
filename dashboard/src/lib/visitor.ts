/** The name, contact and message that a visitor last sent with an offer, remembered in this browser. */
type Visitor = { sellerName: string; sellerContact: string; message?: string }

const key = 'tradepost.visitor'

export function readVisitor(): Visitor | null {
  try {
    const text = localStorage.getItem(key)
    return text ? (JSON.parse(text) as Visitor) : null
  } catch {
    return null
  }
}

/** Remembers who offered. A message with a number is about that offer only, and not remembered, as the server does it. */
export function saveVisitor({ sellerName, sellerContact, message = '' }: Visitor) {
  const general = /\p{N}/u.test(message) ? readVisitor()?.message : message
  try {
    localStorage.setItem(key, JSON.stringify({ sellerName, sellerContact, message: general }))
  } catch {
    // Storage may be full or blocked: the visitor types it again.
  }
}

export function forgetVisitor() {
  try {
    localStorage.removeItem(key)
  } catch {
    // As above.
  }
}
