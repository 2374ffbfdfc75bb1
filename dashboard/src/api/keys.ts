// The names under which the query cache keeps what the server said.
import type { BrowseFilter } from './orders'

export type OwnList = 'active' | 'fulfilled' | 'expired'

export const keys = {
  me: ['me'] as const,
  orders: ['orders'] as const,
  lists: ['orders', 'list'] as const,
  browse: (filter: BrowseFilter) => ['orders', 'list', 'browse', filter] as const,
  ownLists: ['orders', 'list', 'own'] as const,
  own: (status: OwnList) => ['orders', 'list', 'own', status] as const,
  counts: ['orders', 'counts'] as const,
  countsFor: (filter: BrowseFilter) =>
    ['orders', 'counts', { ...filter, category: undefined, sort: undefined }] as const,
  oneByOne: ['orders', 'one'] as const,
  order: (id: number) => ['orders', 'one', id] as const,
  items: (text: string) => ['items', text] as const,
  offers: (orderId: number) => ['offers', orderId] as const,
  sentOffers: ['sent-offers'] as const,
  sales: (orderId: number) => ['sales', orderId] as const,
  notices: ['notices', 'list'] as const,
  noticeSettings: ['notices', 'settings'] as const,
  blockedSellers: ['notices', 'blocked-sellers'] as const,
  reports: ['moderation', 'reports'] as const,
  audit: ['moderation', 'audit'] as const,
  blocks: ['moderation', 'blocks'] as const,
}
