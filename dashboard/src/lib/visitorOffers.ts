import { localStore } from './localStore'

type VisitorOffer = { order: number; token: string }

const most = 50

const store = localStore<VisitorOffer>('tradepost.visitor-offers', (value): value is VisitorOffer => {
  const { order, token } = (value ?? {}) as Partial<VisitorOffer>
  return typeof order === 'number' && typeof token === 'string'
})

const without = (order: number) => store.get().filter((one) => one.order !== order)

/** The offers that this browser sent for a visitor, the latest first. */
export const visitorOffers = () => store.get()

export const subscribeVisitorOffers = store.subscribe

/** Returns the secret of the private link to the visitor's offer on a request, if this browser sent it. */
export const visitorOffer = (order: number): string | undefined => store.get().find((one) => one.order === order)?.token

/** Keeps the private link of an offer in this browser, with its request. */
export function keepVisitorOffer(order: number, link: string) {
  const token = link.slice(link.lastIndexOf('/') + 1)
  store.set([{ order, token }, ...without(order)].slice(0, most))
}

export const forgetVisitorOffer = (order: number) => store.set(without(order))
