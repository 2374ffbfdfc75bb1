// The page has the language of its document; its texts are in the scripts (scripts/texts.ts).

/** The language of the page, such as "de". */
export const language = document.documentElement.lang || 'en'

/** How numbers, days and lists are written: as the browser's own language does where it is the page's, such as "en-GB". */
export const locale = navigator.language.split('-')[0] === language ? navigator.language : language

const number = new Intl.NumberFormat(locale)

export const formatNumber = (n: number | bigint): string => number.format(n)
