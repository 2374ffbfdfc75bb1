import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { type BrowserSearch, browserSearches } from '@/api/browserSearches'
import { ApiError } from '@/api/client'
import { keys } from '@/api/keys'
import { isNarrow } from '@/api/savedSearch'
import { addSaved, deleteSaved, editSaved, ring, savedQuery } from '@/api/searches'
import type { Saved, SavedDraft } from '@/api/types'
import { limits } from '@/lib/market'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { useMe } from './useMe'

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
const sameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

/** The user's saved searches, by name: of the account, of a visitor in this browser. They are loaded when they are wanted. */
export function useSearches(wanted: boolean) {
  const queryClient = useQueryClient()
  const { user, isPending } = useMe()
  const ofBrowser = useSyncExternalStore(browserSearches.subscribe, browserSearches.get)
  const account = useQuery({ ...savedQuery, enabled: user !== null && wanted })
  const signedIn = user !== null
  const saved = useMemo<readonly Saved[]>(
    () => (signedIn ? (account.data ?? []) : ofBrowser.map(ofVisitor)),
    [signedIn, account.data, ofBrowser],
  )
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.searches })
  const without = (gone: Saved) =>
    queryClient.setQueryData<Saved[]>(keys.searches, (old) => old?.filter((one) => !isSame(one, gone)))

  return {
    saved,
    signedIn,
    isPending: isPending || (signedIn && account.isPending),
    isError: signedIn && account.isError,
    refetch: account.refetch,
    /** Whether a search that is saved now gets a bell. */
    rings: (draft: SavedDraft) => signedIn && isOn('watches') && isNarrow(draft),
    /** Why a name can't be used, if it can't. Only searches without a bell need a name of their own. */
    problemOf(name: string, { id, watch }: Pick<Saved, 'id' | 'watch'>): string | undefined {
      if (!name.trim()) return watch ? undefined : t('lib_search_name_required')
      if (!watch && saved.some((other) => !other.watch && other.id !== id && sameName(other.name, name))) {
        return t('lib_search_name_taken')
      }
      return undefined
    },
    /** A name that no other search without a bell has. */
    freeName(name: string): string {
      for (let number = 1; ; number++) {
        const end = number > 1 ? ` ${number}` : ''
        const free = [...name].slice(0, limits.searchName - end.length).join('') + end
        if (!saved.some((other) => !other.watch && sameName(other.name, free))) return free
      }
    },
    async add(draft: SavedDraft, bell: boolean, key: string): Promise<Pick<Saved, 'id' | 'name' | 'watch'>> {
      if (!signedIn) {
        if (saved.length >= limits.searches) throw full()
        return { ...addToBrowser(draft), watch: false }
      }
      const { id, name } = await addSaved(draft, bell, key)
      await refresh()
      return { id, name, watch: bell }
    },
    async edit(search: Saved, draft: SavedDraft, key: string) {
      if (!signedIn) return editInBrowser(search.id, draft)
      await editSaved(search, draft, key)
      await refresh()
    },
    async remove(search: Pick<Saved, 'id' | 'name' | 'watch'>, key: string) {
      if (!signedIn) return browserSearches.set(browserSearches.get().filter((one) => one.id !== search.id))
      await deleteSaved(search, key)
      without(search as Saved)
    },
    /** Turns the bell on or off. */
    async ring(search: Saved, on: boolean, key: string) {
      await ring(search, on, key)
      await refresh()
    },
  }
}

const full = () => new ApiError(409, { detail: t('lib_searches_full', { most: limits.searches }) })

/** Whether two are the same: those with a bell are numbered apart. */
const isSame = (a: Pick<Saved, 'id' | 'watch'>, b: Pick<Saved, 'id' | 'watch'>) => a.id === b.id && a.watch === b.watch

/** A search of this browser, as the account would have it. */
const ofVisitor = (search: BrowserSearch): Saved => ({
  q: '',
  category: [],
  importance: [],
  level: 0,
  minPrice: 0,
  maxPrice: 0,
  forMe: false,
  items: [],
  kind: '',
  minQuantity: 0,
  sort: 'newest',
  view: '',
  way: 'direct',
  pause: 0,
  snoozedUntil: null,
  createdAt: '',
  updatedAt: '',
  ...search,
  watch: false,
  bell: false,
})

function addToBrowser({ items: _, kind: __, minQuantity, way, pause, ...draft }: SavedDraft): BrowserSearch {
  const old = browserSearches.get()
  const added = { ...draft, name: draft.name.trim(), id: 1 + Math.max(0, ...old.map((one) => one.id)) }
  browserSearches.set([...old, added].sort(byName))
  return added
}

function editInBrowser(id: number, { name }: SavedDraft) {
  const edited = browserSearches.get().map((one) => (one.id === id ? { ...one, name: name.trim() } : one))
  browserSearches.set(edited.sort(byName))
}

/** The part of a saved search that is sent. */
export function draftOf(search: Saved): SavedDraft {
  const { id: _, watch: __, bell: ___, snoozedUntil, createdAt, updatedAt, ...draft } = search
  return draft
}
