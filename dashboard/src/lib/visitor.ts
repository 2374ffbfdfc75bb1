/** The name and contact that a visitor last sent with an offer, remembered in this browser. */
type Visitor = { sellerName: string; sellerContact: string }

const key = 'tradepost.visitor'

export function readVisitor(): Visitor | null {
  try {
    const text = localStorage.getItem(key)
    return text ? (JSON.parse(text) as Visitor) : null
  } catch {
    return null
  }
}

export function saveVisitor({ sellerName, sellerContact }: Visitor) {
  try {
    localStorage.setItem(key, JSON.stringify({ sellerName, sellerContact }))
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
