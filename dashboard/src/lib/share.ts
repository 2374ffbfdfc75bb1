import { copyText } from './clipboard'
import { showToast } from './toasts'

/** Copies the address of a request. */
export const shareOrder = (id: number) => share(`/requests/${id}`)

/** Copies the address of this page. */
export const shareAddress = () => share(location.pathname)

/** Copies an address, or shows it if copying fails. */
async function share(path: string) {
  const address = location.origin + path
  showToast((await copyText(address)) ? 'Link copied' : `The link is ${address}`)
}
