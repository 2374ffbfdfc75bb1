import { messageFor } from '@/api/client'
import { saveLanguage } from '@/api/language'
import { useMe } from '@/hooks/useMe'
import { rememberLanguage } from '@/lib/languages'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { uuid } from '@/lib/uuid'

/** Returns a function that chooses the language of the page, which then loads again: a document has one language. Drafts stay. */
export function useLanguageChoice(): (code: string) => Promise<void> {
  const { user } = useMe()
  return async (code) => {
    try {
      // The account first: it beats what the browser remembers.
      if (user) await saveLanguage(code, uuid())
    } catch (error) {
      showToast(messageFor(error, t('app_language_failed')), 'error')
      return
    }
    rememberLanguage(code)
    location.reload()
  }
}
