// What a user does with the document before the page takes its place: the page takes over what was typed, and the focus.

type Field = HTMLInputElement | HTMLSelectElement

const fields = 'input[aria-label], select[aria-label]'

/** Follows what is done with the document. Returns a function that repeats it on a page, once that is in its place. */
export function followUse(root: HTMLElement): (page: HTMLElement) => void {
  const typed = new Map<string, string>()
  let focused: Element | null = null
  // A browser may restore what was typed before a reload, and the focus may be older than this script.
  for (const field of root.querySelectorAll<HTMLInputElement>('input[aria-label]')) {
    if (field.value) typed.set(field.ariaLabel ?? '', field.value)
  }
  if (root.contains(document.activeElement)) focused = document.activeElement

  const stop = new AbortController()
  const follow = (kind: string, listener: (element: Element) => void) =>
    root.addEventListener(kind, (event) => listener(event.target as Element), { signal: stop.signal })
  for (const kind of ['input', 'change']) {
    follow(kind, (element) => {
      if (element.matches(fields)) typed.set(element.ariaLabel ?? '', (element as Field).value)
    })
  }
  follow('focusin', (element) => {
    focused = element
  })
  follow('focusout', (element) => {
    // Not when it lost the focus because it was taken away.
    queueMicrotask(() => {
      if (element.isConnected && focused === element) focused = null
    })
  })

  return (page) => {
    stop.abort()
    for (const [label, value] of typed) {
      const field = [...page.querySelectorAll<Field>(fields)].find(({ ariaLabel }) => ariaLabel === label)
      if (field) type(field, value)
    }
    typed.clear()
    if (focused && !page.contains(document.activeElement)) counterpart(page, focused)?.focus({ preventScroll: true })
    focused = null
  }
}

/** Types a value as the user would, so that React hears of it. */
function type(field: Field, value: string) {
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLSelectElement
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event(kind === HTMLInputElement ? 'input' : 'change', { bubbles: true }))
}

/** The element of the page that does what an element of the document did. */
function counterpart(page: HTMLElement, old: Element): HTMLElement | undefined {
  const all = (selector: string) => [...page.querySelectorAll<HTMLElement>(selector)]
  if (old.matches(fields)) return all(fields).find(({ ariaLabel }) => ariaLabel === old.ariaLabel)
  const address = old.getAttribute('href')
  const request = address?.match(/[?&]request=(\d+)/)?.[1]
  // An offer is a link in the document, and a button on the page.
  if (request)
    return all(`[data-order="${request}"] button, [data-row="${request}"] button`).find(
      ({ textContent }) => textContent?.trim() === old.textContent?.trim(),
    )
  return (
    all('a[href]').find((link) => link.getAttribute('href') === address) ??
    all('button').find(({ textContent }) => textContent?.trim() === old.textContent?.trim())
  )
}
