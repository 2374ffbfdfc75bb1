import { metaContent } from './site'

const cookie = 'tradepost_language' // LanguageCookie on the server

/** The languages that the page can be read in, such as "en" and "de". */
export const offeredLanguages = (): string[] => metaContent('languages').split(',').filter(Boolean)

/** The name of a language in that language. */
export const nameOfLanguage = (code: string): string =>
  new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code

/** Has the server answer in a language from the next document on. */
export function rememberLanguage(code: string) {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${cookie}=${code}; path=/; max-age=31536000; samesite=lax${secure}`
}
