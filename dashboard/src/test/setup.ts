import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, vi } from 'vitest'

// Waits scale with PATIENCE for a slow machine.
configure({ asyncUtilTimeout: 25_000 * Number(process.env.PATIENCE || 1) })

afterEach(() => {
  vi.useRealTimers()
  cleanup()
  toast.dismiss()
  sessionStorage.clear()
  localStorage.clear()
})
