import { act, render, screen } from '@testing-library/react'
import { Suspense, useState } from 'react'
import { expect, test } from 'vitest'
import { late } from './late'

function Counter() {
  const [mounted] = useState(() => ++mounts)
  return <input aria-label={`field ${mounted}`} />
}
let mounts = 0

test('a lazy component keeps its state and the focus when it is rendered again', async () => {
  const Field = late(async () => Counter)
  const page = (note: string) => (
    <Suspense fallback="loading">
      <Field />
      {note}
    </Suspense>
  )
  const { rerender } = render(page('one'))
  expect(screen.getByText('loading')).toBeVisible()
  const field = await screen.findByRole('textbox')
  act(() => field.focus())
  rerender(page('two'))
  expect(screen.getByRole('textbox', { name: 'field 1' })).toHaveFocus()
})

test('a loaded component is rendered without a pause', async () => {
  const Field = late(async () => Counter)
  await Field.load()
  render(
    <Suspense fallback="loading">
      <Field />
    </Suspense>,
  )
  expect(screen.queryByText('loading')).toBeNull()
})
