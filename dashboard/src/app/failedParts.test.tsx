import { render, screen } from '@testing-library/react'
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
  const at = (page: string, part: React.ReactNode) => (
    <>
      <p>Header</p>
      <FailedParts page={page}>{part}</FailedParts>
    </>
  )
  const { rerender } = render(at('/items', <Failing />))
  expect(screen.getByText('Header')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent("Couldn't load this.")
  rerender(at('/mine', <p>My Requests</p>))
  expect(screen.getByText('My Requests')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})
