import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { currentToasts, dismiss } from '@/lib/toasts'

// Waits scale with PATIENCE for a slow machine.
configure({ asyncUtilTimeout: 10_000 * Number(process.env.PATIENCE || 1) })

afterEach(() => {
  vi.useRealTimers()
  cleanup()
  for (const { id } of currentToasts()) dismiss(id)
  sessionStorage.clear()
  localStorage.clear()
})
