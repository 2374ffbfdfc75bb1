import { useEffect } from 'react'
import { site } from '@/lib/site'
import { useMe } from './useMe'

/** Sets the page title, prefixed with the number of unread notices. */
export function usePageTitle(title?: string) {
  const { counts } = useMe()
  useEffect(() => {
    const unread = counts.unread > 0 ? `(${counts.unread}) ` : ''
    document.title = unread + (title ? `${title} · ${site.name}` : `${site.name}: requests for in-game items`)
  }, [title, counts.unread])
}
