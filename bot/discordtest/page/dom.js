// Everything on the page is built from nodes: text stays text, also when a player wrote it.

/** h makes an element. Attributes that are functions become listeners; null and false are left out. */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (name === 'style') Object.assign(element.style, value)
    else element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

let last = 0
/** uid makes ids that tie labels to their fields. */
export const uid = (name) => `${name}-${++last}`

export const hidden = (text) => h('span', { class: 'sr' }, text)

/** round is somebody's picture: their initial on their colour. */
export function round(user) {
  return h('span', { class: 'round', 'aria-hidden': 'true', style: { background: user?.colour ?? '#777' } }, [...(user?.name ?? '?')][0].toUpperCase())
}

/** safe gives an address only when it leads to a web page. */
export function safe(address) {
  try {
    const url = new URL(address)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
  } catch {
    return null
  }
}

// Round marks are drawn here, so that they look the same where no emoji font is installed. The character stays in place
// for copying, searching and screen readers.
const marks = { '🔴': 'red', '🟠': 'orange', '🟡': 'gold', '🟢': 'green', '🔵': 'blue', '🟣': 'purple', '🟤': 'copper', '⚫': 'black', '⚪': 'silver', '💠': 'platinum', '🟥': 'square red', '🟧': 'square orange', '🟩': 'square green', '⬜': 'square silver' }
const marked = new RegExp(`(${Object.keys(marks).join('|')})\uFE0F?`, 'u')

/** dress turns a text into nodes in which round marks are drawn. */
export function dress(text) {
  return text.split(marked).filter(Boolean).map((part) => (marks[part] ? h('span', { class: `dot ${marks[part]}` }, part) : part))
}

/** emoji is the picture of an application's emoji. Its name is there for copying and screen readers. */
export function emoji({ id, name }) {
  return h('img', { class: 'emoji', src: `/_standin/emojis/${id}.png`, alt: `:${name}:`, title: `:${name}:`, draggable: 'false' })
}

/** picture draws a picture of a message: an emoji, a user's picture, or for one that is elsewhere a link to it. */
export function picture(address, page, kind) {
  const found = /^https:\/\/cdn\.discordapp\.com\/(emojis|avatars|embed\/avatars)\/(\d+)/.exec(address)
  if (found?.[1] === 'emojis') return h('img', { class: kind, src: `/_standin/emojis/${found[2]}.png`, alt: '' })
  if (found) {
    const face = round(found[1] === 'avatars' ? page.users[found[2]] : null)
    face.classList.add(kind)
    return face
  }
  return safe(address) ? out(safe(address), h('span', { class: `${kind} elsewhere` }, 'Picture')) : null
}

export const out = (href, ...children) => h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...children)
