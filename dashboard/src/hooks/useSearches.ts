import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { type BrowserSearch, browserSearches } from '@/api/browserSearches'
import { keys } from '@/api/keys'
import { addSearch, deleteSearch, editSearch, searchesQuery } from '@/api/searches'
import type { Search, SearchDraft } from '@/api/types'
import { limits } from '@/lib/market'
import { t } from '@/lib/texts'
import { useMe } from './useMe'

export type SavedSearch = SearchDraft & { id: number }

const byName = (a: SearchDraft, b: SearchDraft) => a.name.localeCompare(b.name)
const sameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

/** The user's saved searches, by name: of the account, of a visitor in this browser. They are loaded when they are wanted. */
export function useSearches(wanted: boolean) {
  const queryClient = useQueryClient()
  const { user } = useMe()
  const ofBrowser = useSyncExternalStore(browserSearches.subscribe, browserSearches.get)
  const account = useQuery({ ...searchesQuery, enabled: user !== null && wanted })
  const signedIn = user !== null
  const searches: readonly SavedSearch[] = signedIn ? (account.data ?? []) : ofBrowser

  const put = useCallback(
    (change: (old: readonly Search[]) => readonly Search[]) =>
      queryClient.setQueryData<Search[]>(keys.searches, (old) => [...change(old ?? [])].sort(byName)),
    [queryClient],
  )

  return {
    searches,
    isPending: signedIn && account.isPending,
    isError: signedIn && account.isError,
    refetch: account.refetch,
    /** Why a name can't be used, if it can't. */
    problemOf(name: string, id?: number): string | undefined {
      if (!name.trim()) return t('lib_search_name_required')
      if (searches.some((other) => other.id !== id && sameName(other.name, name))) {
        return t('lib_search_name_taken')
      }
      if (id === undefined && searches.length >= limits.searches) {
        return t('lib_searches_full', { most: limits.searches })
      }
      return undefined
    },
    ...useMemo(
      () => ({
        async add(draft: SearchDraft, key: string) {
          if (!signedIn) return browserSearches.set(added(draft))
          const search = await addSearch(draft, key)
          put((old) => [...old.filter(({ id }) => id !== search.id), search])
        },
        async rename(search: SavedSearch, name: string, key: string) {
          const { id } = search
          if (!signedIn) return browserSearches.set(replaced({ ...search, name }))
          const renamed = await editSearch(id, draftOf({ ...search, name }), key)
          put((old) => old.map((one) => (one.id === id ? renamed : one)))
        },
        async remove(id: number, key: string) {
          if (!signedIn) return browserSearches.set(browserSearches.get().filter((one) => one.id !== id))
          await deleteSearch(id, key)
          put((old) => old.filter((one) => one.id !== id))
        },
      }),
      [signedIn, put],
    ),
  }
}

function added(draft: SearchDraft): BrowserSearch[] {
  const old = browserSearches.get()
  const id = 1 + Math.max(0, ...old.map((one) => one.id))
  return [...old, { ...draft, name: draft.name.trim(), id }].sort(byName)
}

const replaced = (search: BrowserSearch) =>
  browserSearches
    .get()
    .map((one) => (one.id === search.id ? { ...search, name: search.name.trim() } : one))
    .sort(byName)

/** The part of a saved search that is sent. */
export function draftOf(search: SavedSearch): SearchDraft {
  const { id: _, createdAt, updatedAt, ...draft } = search as SavedSearch & Partial<Search>
  return draft
}
