import { copyText } from './clipboard'
import { say } from './toasts'

/** Copies the address of a request, or says it where it cannot be copied. */
export async function shareOrder(id: number) {
  const address = `${location.origin}/requests/${id}`
  say((await copyText(address)) ? 'Copied the link' : `The link is ${address}`)
}
