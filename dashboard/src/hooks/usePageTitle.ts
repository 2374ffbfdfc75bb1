import { useEffect } from 'react'
import { site } from '@/lib/site'
import { t } from '@/lib/texts'
import { useMe } from './useMe'

/** Sets the page title, prefixed with the number of unread notices. */
export function usePageTitle(title?: string) {
  const { counts } = useMe()
  useEffect(() => {
    const unread = counts.unread > 0 ? `(${counts.unread}) ` : ''
    document.title = unread + (title ? `${title} · ${site.name}` : t('lib_page_title', { site: site.name }))
  }, [title, counts.unread])
}
