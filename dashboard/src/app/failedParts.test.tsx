import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { FailedParts } from './FailedParts'

afterEach(() => {
  vi.restoreAllMocks()
})

function Failing(): never {
  throw new Error('no such file')
}

test('a part that fails leaves the rest of the page, until another page is opened', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const withPart = (part: ReactNode) => (
    <>
      <p>Header</p>
      <FailedParts>{part}</FailedParts>
    </>
  )
  history.replaceState(null, '', '/items')
  const { rerender } = render(withPart(<Failing />))
  expect(screen.getByText('Header')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent("Couldn't load this.")
  history.replaceState(null, '', '/mine')
  rerender(withPart(<p>My Requests</p>))
  expect(screen.getByText('My Requests')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})
