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

/** Whether a feature is on. What is off leaves no trace. */
export const isOn = (
  feature:
    | 'items'
    | 'watches'
    | 'prices'
    | 'handover'
    | 'records'
    | 'lists'
    | 'stock'
    | 'listings'
    | 'tokens'
    | 'webhooks'
    | 'crossing'
    | 'hours',
): boolean => metaContent('features').split(' ').includes(feature)

/** Whether visitors may offer without an account. */
export const visitorsOffer = () => metaContent('visitor-offers') !== 'off'

/** Returns the content of a meta tag in the head, or an empty string. */
export function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
