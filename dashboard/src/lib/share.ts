import { copyText } from './clipboard'
import { showToast } from './toasts'

/** Copies the address of a request, or shows it if copying fails. */
export async function shareOrder(id: number) {
  const address = `${location.origin}/requests/${id}`
  showToast((await copyText(address)) ? 'Link copied' : `The link is ${address}`)
}
