import { queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import type { ListFilter } from './filter'
import { keys } from './keys'
import { filterParams } from './orders'
import { filterOf } from './savedSearch'
import type { Saved, SavedDraft, SearchDraft } from './types'

/** The signed-in user's saved searches, with a bell and without, by name. */
export const savedQuery = queryOptions({
  queryKey: keys.searches,
  queryFn: async ({ signal }) => (await read(client.GET('/api/me/saved', { signal }))).saved,
  staleTime: 5 * 60_000,
})

/** How many open requests a saved search has now. */
export const openCountQuery = (saved: SavedDraft) => {
  const { sort: _, for: __, ...filter } = filterOf(saved)
  const [itemId] = saved.items ?? []
  const { side } = saved
  const query = { category: filter.category, limit: 1, itemId, ...filterParams(filter as ListFilter) }
  return queryOptions({
    queryKey: [...keys.orders, 'total', 'saved', query, side],
    async queryFn({ signal }) {
      const { category, limit, q, maxPrice } = query
      const [wanted, listed] = await Promise.all([
        side !== 'sale' && read(client.GET('/api/orders', { params: { query }, signal })),
        side &&
          read(client.GET('/api/listings', { params: { query: { category, limit, itemId, q, maxPrice } }, signal })),
      ])
      return { total: (wanted ? wanted.total : 0) + (listed ? listed.total : 0) }
    },
    staleTime: 60_000,
  })
}

export async function addSaved(draft: SavedDraft, bell: boolean, key: string): Promise<{ id: number; name: string }> {
  if (bell) return read(client.POST('/api/me/watches', { body: draft, params: keyed(key) }))
  return read(client.POST('/api/me/searches', { body: withoutBell(draft), params: keyed(key) }))
}

export async function editSaved({ id, watch }: Saved, draft: SavedDraft, key: string): Promise<unknown> {
  const params = { path: { id }, ...keyed(key) }
  if (watch) return read(client.PUT('/api/me/watches/{id}', { body: draft, params }))
  return read(client.PUT('/api/me/searches/{id}', { body: withoutBell(draft), params }))
}

export async function deleteSaved({ id, watch }: Pick<Saved, 'id' | 'watch'>, key: string): Promise<unknown> {
  const params = { path: { id }, ...keyed(key) }
  return watch
    ? read(client.DELETE('/api/me/watches/{id}', { params }))
    : read(client.DELETE('/api/me/searches/{id}', { params }))
}

/** Turns the bell on or off. One without a bell gets one. */
export async function ring({ id, watch }: Pick<Saved, 'id' | 'watch'>, on: boolean, key: string): Promise<unknown> {
  const params = { path: { id }, ...keyed(key) }
  if (!watch) return read(client.POST('/api/me/searches/{id}/bell', { params }))
  return read(client.POST('/api/me/watches/{id}/pause', { body: { paused: !on }, params }))
}

/** The part of a draft that a search without a bell has. */
function withoutBell({ items: _, kind: __, minQuantity, way, pause, ...draft }: SavedDraft): SearchDraft {
  return draft
}
