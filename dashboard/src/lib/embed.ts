import { copyText } from './clipboard'
import { site } from './site'
import { t } from './texts'
import { showToast } from './toasts'

/** Returns the HTML that shows a list in a frame of another site. The address is the board's or an item's, as the page has it. */
export function embedCode(address: string): string {
  const url = new URL(address, window.location.origin)
  const item = /^\/items\/(\d+)/.exec(url.pathname)
  const query = new URLSearchParams(url.search)
  for (const own of ['view', 'for', 'side', 'dialog']) query.delete(own)
  const path = item ? `/embed/items/${item[1]}` : '/embed'
  const src = `${url.origin}${path}${query.size > 0 && !item ? `?${query}` : ''}`
  const title = t('embed_title', { site: site.name })
  return `<iframe src="${escaped(src)}" title="${escaped(title)}" width="100%" height="480" loading="lazy" style="border:0"></iframe>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Copies that HTML and confirms it. */
export async function copyEmbedCode(address: string) {
  const code = embedCode(address)
  showToast((await copyText(code)) ? t('embed_copied') : t('parts_not_copied', { text: code }))
}
