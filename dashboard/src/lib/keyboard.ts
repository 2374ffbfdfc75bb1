/** Reports whether the user is typing, so that a letter is text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** Reports whether a key press is a shortcut of the page: no modifier, nothing being typed, and no dialog or menu open. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return false
  return !document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]')
}
