import '@testing-library/jest-dom/vitest'
import { cleanup, configure, prettyDOM } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, vi } from 'vitest'

// Waits scale with PATIENCE for a slow machine.
configure({
  asyncUtilTimeout: 25_000 * Number(process.env.PATIENCE || 1),
  // The page is printed only for who reads the message: a wait throws away an error each time it looks.
  getElementError(message, container) {
    const error = new Error()
    error.name = 'TestingLibraryElementError'
    const text = () => [message, prettyDOM(container as Element)].filter(Boolean).join('\n\n')
    Object.defineProperty(error, 'message', { get: text, configurable: true, enumerable: false })
    return error
  },
})

// jsdom compares each rule of a style sheet with an element whenever its style is asked for, and shows nothing.
for (const style of document.head.querySelectorAll('style')) style.remove()

afterEach(() => {
  vi.useRealTimers()
  cleanup()
  toast.dismiss()
  sessionStorage.clear()
  localStorage.clear()
  document.documentElement.className = '' // the theme
})
