import { render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { lazily, useLoaded } from './lazily'

const Part = () => <p>Here it is</p>

test('a dialog whose code comes while it is drawn for the first time is shown', async () => {
  const load = vi.fn(async () => Part)
  const lazy = lazily(load)
  function Host() {
    const Loaded = useLoaded(lazy)
    useLayoutEffect(() => {
      lazy.loaded = Part // as a prefetch does that ends just now
    }, [])
    return Loaded ? <Loaded /> : <p>Loading</p>
  }
  render(<Host />, { wrapper: MemoryRouter })
  expect(await screen.findByText('Here it is')).toBeVisible()
  expect(load).not.toHaveBeenCalled()
})
