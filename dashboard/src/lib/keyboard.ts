import { t } from './texts'

/** Reports whether the user is typing, so that a letter is text. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** Reports whether a key press is a shortcut of the page: no modifier, nothing being typed, and no dialog or menu open. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return false
  return !isCovered()
}

/** Reports whether a dialog or a menu is open. */
export const isCovered = () => document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null

const onApple = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** The key of the command menu, as it is written on the keyboard. */
export const commandKey = onApple ? '⌘K' : t('lib_command_key')

/** The same for assistive technology. */
export const commandKeyName = onApple ? 'Meta+K' : 'Control+K'

/** Reports whether a key press is the one of the command menu. On a Mac, Ctrl+K deletes text. */
export function isCommandKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  const modified = onApple ? metaKey && !ctrlKey : ctrlKey && !metaKey
  return modified && !shiftKey && !altKey && key.toLowerCase() === 'k'
}
