// What an element shows, a line for each element and text in it, to compare what the server draws with what the page draws.
import icons from '../../../web/firstlook/icons.gen.json'

/** What only the page's scripts, screen readers that wait for them, or pointers need. */
const unseen = new Set(['tabindex', 'autocomplete', 'value', 'max', 'aria-live', 'aria-rowindex'])

/** Classes that show nothing while an element rests. */
const states =
  /^(group|transition-.*|((dark|forced-colors|\[a&\]):)*(hover|focus-visible|active|disabled|file|group-[\w-]+(\[\w+\])?|data-[\w-]+|aria-[\w-]+):.*)$/

/** Lists what an element shows. A button of the page is a link or an inert mark in the server's: where `like`, what the page draws in
 * its place, has a button, this one counts as a button too. */
export function shown(element: Element, like = element, depth = 0): string[] {
  const indent = '  '.repeat(depth)
  if (element.localName === 'svg') return [`${indent}svg${attributesOf(element)} ${drawingOf(element)}`]
  const button = like.localName === 'button'
  const name = button ? 'button' : element.localName
  const others = contentOf(like)
  const content = contentOf(element).flatMap((part, i) => {
    if (typeof part === 'string') return [`${indent}  "${part}"`]
    const other = others[i]
    return shown(part, typeof other === 'object' ? other : part, depth + 1)
  })
  return [`${indent}${name}${button ? classesOf(element) : attributesOf(element)}`, ...content]
}

/** The elements and texts in an element. Numbers that the document writes for every browser are in elements of their own. */
function contentOf(element: Element): (Element | string)[] {
  const parts: (Element | string)[] = []
  for (const node of element.childNodes) {
    const text = node.nodeType === Node.TEXT_NODE || node.nodeName === 'DATA' ? (node.textContent ?? '') : undefined
    if (text === undefined) parts.push(node as Element)
    else if (typeof parts.at(-1) === 'string') parts.push(`${parts.pop()}${text}`)
    else parts.push(text)
  }
  return parts
    .map((part) => (typeof part === 'string' ? part.replace(/\s+/g, ' ') : part))
    .filter((part) => part !== '')
}

function attributesOf(element: Element): string {
  const listed = [...element.attributes]
    .filter(({ name }) => name !== 'class' && !unseen.has(name) && !name.startsWith('data-'))
    .filter(({ name }) => element.localName !== 'svg' || /^(aria-.*|role|stroke-width)$/.test(name))
    .filter(({ name }) => element.localName !== 'time' || name !== 'title')
    .map(
      ({ name, value }) =>
        ` ${name}="${name === 'style' ? value.replace(/: |;$/g, (s) => (s[0] === ':' ? ':' : '')) : value}"`,
    )
  return listed.sort().join('') + classesOf(element)
}

const classesOf = ({ classList }: Element) =>
  [...classList]
    .filter((name) => !states.test(name) && !name.startsWith('lucide'))
    .sort()
    .map((name) => ` .${name}`)
    .join('')

/** The drawing in an svg, or the one that it refers to. */
function drawingOf(svg: Element): string {
  const name = svg.querySelector('use')?.getAttribute('href') ?? ''
  const drawing = name.startsWith('#icon-') ? icons[name.slice('#icon-'.length) as keyof typeof icons] : svg.innerHTML
  return drawing.replaceAll('/>', `></>`).replace(/<\/\w*>/g, '')
}
