import { locale } from './locale'
import { t } from './texts'

/** The operator's branding. The server writes it into the head of the page. */
export const site = {
  name: metaContent('application-name') || 'Tradepost',
  tagline: metaContent('tagline') || t('lib_tagline'),
  /** Text above the board; empty for none. */
  welcome: metaContent('welcome'),
  /** Version of the program, as people say it, and its day; each is empty when it is not known. */
  version: metaContent('version'),
  built: metaContent('built'),
  /** Address of the operator's logo; empty for the default. */
  logo: metaContent('logo'),
  /** How the board shows the requests until a user chooses. */
  defaultView: metaContent('default-view') === 'list' ? ('list' as const) : ('cards' as const),
}

/** "Tradepost 0.9 · 28 November 2026"; empty where neither is known. */
export function versionText(number: string, built: string): string {
  const day = built && new Date(built).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
  if (!number && !day) return ''
  const program = ['Tradepost', number].filter(Boolean).join(' ')
  return [program, day].filter(Boolean).join(' · ')
}

/** Whether a feature is on. What is off leaves no trace. */
export const isOn = (feature: 'items' | 'watches' | 'prices' | 'handover' | 'records' | 'lists' | 'stock'): boolean =>
  metaContent('features').split(' ').includes(feature)

/** Whether visitors may offer without an account. */
export const visitorsOffer = () => metaContent('visitor-offers') !== 'off'

/** Returns the content of a meta tag in the head, or an empty string. */
export function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
