import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { currentToasts, dismiss } from '@/lib/toasts'

afterEach(() => {
  vi.useRealTimers()
  cleanup()
  for (const { id } of currentToasts()) dismiss(id)
  sessionStorage.clear()
  localStorage.clear()
})
