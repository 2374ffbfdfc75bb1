import { useQueryClient } from '@tanstack/react-query'
import { signOut } from '@/api/me'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { useDialogs } from './useDialogs'

/** Returns a function that signs out and goes to the board. */
export function useSignOut() {
  const queryClient = useQueryClient()
  const { go } = useDialogs()
  return async () => {
    await signOut(queryClient)
    go('/')
    showToast(t('lib_signed_out'))
    document.getElementById('content')?.focus({ preventScroll: true }) // the button is gone
  }
}
