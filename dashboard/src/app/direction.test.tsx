import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openPage } from '@/test/page'
import { auditEntry, blockedUser, notice, offer, order, receipt, report, Server, sale, sentOffer } from '@/test/server'

// What users typed, each marked so that a missing one is named.
const item = 'שם פריט'
const description = 'תיאור ארוך'
const contact = 'קשר'
const ign = 'שם במשחק'
const seller = 'מוכר'
const message = 'הודעה'
const notes = 'הערות'
const reason = 'סיבה'
const user = 'משתמש'
const rightToLeft = /[\u0590-\u05ff]/

const typed = { itemName: item, description, buyerContact: contact, ign }
const own = order({ ...typed, userId: 1 })
const theirs = order({ ...typed, id: 8, userId: 2 })
const theOffer = offer({ sellerName: seller, sellerContact: contact, message })
const theReceipt = receipt({
  itemName: item,
  ign,
  with: { name: seller, contact, verified: false, discordUrl: null },
})

/** The texts on the page that users typed, and that are not laid out in their own direction. */
function misdirected(): string[] {
  const found: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement
    if (!rightToLeft.test(text.textContent ?? '') || !parent || parent.dir === 'ltr') continue
    const around = parent.closest('[dir="auto"]')
    // The direction comes from the first letter: words of the page before it would decide for what was typed.
    const first = around?.textContent?.match(/\p{L}/u)?.[0] ?? ''
    if (!rightToLeft.test(first)) found.push(parent.outerHTML.slice(0, 200))
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) {
    if (rightToLeft.test(field.value) && field.dir !== 'auto') found.push(field.outerHTML.slice(0, 200))
  }
  return found
}

function serve() {
  const server = new Server().signedIn([own]).shows([own, theirs])
  server.on('GET /api/me/offers', () => ({
    json: {
      offers: [sentOffer({ itemName: item, message, buyerContact: contact })],
      counts: { open: 1, accepted: 0, past: 0 },
      nextCursor: null,
    },
  }))
  server.on('GET /api/me/offers/received', () => ({
    json: { requests: [{ order: own, offers: [theOffer] }], nextCursor: null },
  }))
  server.on('GET /api/orders/7/offers', () => ({ json: { offers: [theOffer], total: 1 } }))
  server.on('GET /api/orders/7/sales', () => ({ json: { sales: [sale({ notes })] } }))
  server.on('GET /api/me/receipts', () => ({ json: { receipts: [theReceipt], nextCursor: null } }))
  server.on('GET /api/me/notices', () => ({
    json: {
      notices: [notice({ itemName: item, message, counterpart: { name: seller, contact } })],
      unread: 0,
      nextCursor: null,
    },
  }))
  server.on('GET /api/moderation/reports', () => ({
    json: {
      reports: [
        report({
          itemName: item,
          reason,
          order: theirs,
          subject: { id: 2, username: user },
          reporter: { id: 3, username: user },
        }),
        report({ id: 13, offerId: 70, itemName: item, reason, order: theirs, offer: theOffer }),
      ],
      total: 2,
      nextCursor: null,
    },
  }))
  server.on('GET /api/moderation/audit', () => ({
    json: {
      entries: [
        auditEntry({
          itemName: item,
          reason,
          moderator: { id: 1, username: user },
          subject: { id: 2, username: user },
        }),
      ],
      nextCursor: null,
    },
  }))
  server.on('GET /api/moderation/blocks', () => ({
    json: { users: [blockedUser({ user: { id: 2, username: user }, reason })], nextCursor: null },
  }))
  return server
}

test.each([
  ['the cards of the board', '/?view=cards', contact],
  ['the list of the board', '/?view=list', item],
  ['a request', '/requests/8', description],
  ["the user's requests", '/mine', contact],
  ['the sent offers', '/selling/offers', message],
  ['the received offers', '/mine/offers', message],
  ['the inbox', '/inbox', message],
  ['the reports', '/moderation', reason],
  ['the moderation log', '/moderation?show=log', reason],
  ['the blocked users', '/moderation?show=blocked', reason],
  ['the offers on a request', '/mine?dialog=offers&request=7', message],
  ['the sales of a request', '/mine?dialog=sales&request=7', notes],
  ['the offer form', '/?view=cards&dialog=offer&request=8', description],
  ['the form to edit', '/mine?dialog=edit&request=7', contact],
])('%s give everything that users typed its own direction', async (_, address, shown) => {
  const me = { id: 1, displayName: user, username: contact, email: null, moderator: true }
  const counts = { active: 1, fulfilled: 0, archived: 0, expired: 0, unread: 0, received: 1 }
  serve().on('GET /api/me', () => ({ json: { user: me, counts } }))
  openPage(address)
  await waitFor(() => expect(screen.queryAllByText(shown, { exact: false })[0]).toBeInTheDocument())
  if (address.includes('dialog=')) await screen.findByRole('dialog')
  if (address.includes('edit')) await screen.findByDisplayValue(item)
  expect(misdirected()).toEqual([])
})

test('the rows of a phone do so too', async () => {
  serve()
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }))
  openPage('/?view=list')
  await waitFor(() => expect(screen.queryAllByText(item)[0]).toBeInTheDocument())
  expect(misdirected()).toEqual([])
})
