import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client, read } from '@/api/client'
import { keys } from '@/api/keys'
import { itemsQuery } from '@/api/orders'

const debounce = 200 // ms
const shownRequests = 5
const shownItems = 4

/** The newest requests that a text finds. */
const searchQuery = (text: string) =>
  queryOptions({
    queryKey: keys.search(text),
    queryFn: ({ signal }) =>
      read(client.GET('/api/orders', { params: { query: { q: text, limit: shownRequests } }, signal })),
  })

/** What a text finds while it is typed: open requests, and names of items. */
export function useFound(typed: string) {
  const text = useDebounced(typed)
  const enabled = typed !== '' && text !== ''
  const requests = useQuery({ ...searchQuery(text), enabled, placeholderData: keepPreviousData })
  const items = useQuery({ ...itemsQuery(text), enabled, placeholderData: keepPreviousData })
  const current = enabled && text === typed && !requests.isPlaceholderData
  return {
    requests: enabled ? (requests.data?.orders ?? []) : [],
    /** A page that says how many the text finds in all; undefined until that is known. */
    page: current ? requests.data : undefined,
    items: enabled ? (items.data ?? []).filter((name) => name !== typed).slice(0, shownItems) : [],
    loading: typed !== '' && !requests.isError && !(current && requests.data),
    failed: enabled && requests.isError,
    retry: () => void requests.refetch(),
  }
}

/** The text once it has rested for a moment; nothing before that. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    if (text === settled) return
    const timer = setTimeout(() => setSettled(text), debounce)
    return () => clearTimeout(timer)
  }, [text, settled])
  return settled
}
