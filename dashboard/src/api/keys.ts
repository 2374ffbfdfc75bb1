// The keys of the query cache.
import type { ListFilter } from './orders'

export type SentPart = 'open' | 'accepted' | 'past'
export type OwnList = 'active' | 'fulfilled' | 'expired' | 'archived'

export const keys = {
  me: ['me'] as const,
  orders: ['orders'] as const,
  lists: ['orders', 'list'] as const,
  browse: (filter: ListFilter) => ['orders', 'list', 'browse', filter] as const,
  ownLists: ['orders', 'list', 'own'] as const,
  own: (status: OwnList) => ['orders', 'list', 'own', status] as const,
  counts: ['orders', 'counts'] as const,
  totalFor: (filter: ListFilter) => ['orders', 'total', { ...filter, sort: undefined, for: undefined }] as const,
  single: ['orders', 'one'] as const,
  order: (id: number) => ['orders', 'one', id] as const,
  search: (text: string) => ['search', text] as const,
  skills: ['skills'] as const,
  searches: ['searches'] as const,
  items: (text: string) => ['items', text] as const,
  completions: (text: string) => ['items', 'completions', text] as const,
  item: (id: number) => ['items', 'one', id] as const,
  catalogue: (filter: object) => ['items', 'catalogue', filter] as const,
  offers: (orderId: number) => ['offers', orderId] as const,
  receivedOffers: ['offers', 'received'] as const,
  sentOffers: ['sent-offers'] as const,
  sentOfferList: (part: SentPart) => ['sent-offers', 'list', part] as const,
  openOffers: ['sent-offers', 'open'] as const,
  myOffer: (orderId: number) => ['sent-offers', 'on', orderId] as const,
  offerLink: (token: string) => ['offer-link', token] as const,
  receipts: ['receipts'] as const,
  receiptsOf: (of: { requests?: number[]; offers?: number[] }) => ['receipts', of] as const,
  sales: (orderId: number) => ['sales', orderId] as const,
  notices: ['notices', 'list'] as const,
  noticeSettings: ['notices', 'settings'] as const,
  sessions: ['notices', 'sessions'] as const,
  blockedSellers: ['notices', 'blocked-sellers'] as const,
  reports: ['moderation', 'reports'] as const,
  audit: ['moderation', 'audit'] as const,
  blocks: ['moderation', 'blocks'] as const,
  rules: ['rules'] as const,
}
