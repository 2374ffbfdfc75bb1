import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dialog, openPage } from '@/test/page'
import { offer, order, Server } from '@/test/server'

const sentence = /looks like the name of an established trader, but isn't theirs$/
const marked = (root: HTMLElement) => within(root).queryAllByText(sentence, { selector: 'span' }).map(text)
const text = (element: Element) => element.textContent?.replace(sentence, '').trim()

test("a name that looks like an established trader's is marked on a card and beside the form of an offer", async () => {
  const forged = order({ buyerContact: 'mаple', ign: 'Maplе', lookAlike: { contact: false, name: true } })
  new Server().shows([forged, order({ id: 8, ign: 'Fern' })])
  openPage('/?dialog=offer&request=7')
  const request = (await dialog('Offer to Fulfill')).getByRole('region', { name: 'The request' })
  await waitFor(() => expect(marked(document.body)).toEqual(['Maplе', 'Maplе']))
  expect(marked(request)).toEqual(['Maplе'])
})

test('the list shows a sign beside such a name', async () => {
  new Server().shows([order({ lookAlike: { contact: true, name: false } }), order({ id: 8 })])
  openPage('/?view=list')
  expect(await screen.findAllByRole('img', { name: /looks like the name of an established trader/ })).toHaveLength(1)
})

test("the buyer sees which name of an offer looks like an established trader's", async () => {
  const own = order({ userId: 1 })
  const server = new Server().signedIn([own]).shows([own])
  const forged = offer({ sellerName: 'Tаmsin', sellerContact: 'tаmsin', lookAlike: { contact: true, name: true } })
  server.on('GET /api/orders/7/offers', () => ({ json: { offers: [forged, offer({ id: 71 })], total: 2 } }))
  openPage('/?dialog=offers&request=7')
  const [first, second] = await (await dialog('Offers for "Iron Ore"')).findAllByRole('listitem')
  expect(marked(first as HTMLElement)).toEqual(['tаmsin', 'Tаmsin'])
  expect(marked(second as HTMLElement)).toEqual([])
})
