import { copyText } from './clipboard'
import { t } from './texts'
import { showToast } from './toasts'

/** Copies the address of a request. */
export const shareOrder = (id: number) => share(`/requests/${id}`)

/** Copies the address of this page. */
export const shareAddress = () => share(location.pathname)

/** Copies an address, or shows it if copying fails. */
async function share(path: string) {
  const address = location.origin + path
  showToast((await copyText(address)) ? t('lib_link_copied') : t('lib_link_is', { address }))
}
