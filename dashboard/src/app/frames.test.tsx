import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage } from '@/test/page'
import { order, Server } from '@/test/server'
import { pages } from './App'

const request = order()

test.each(Object.keys(pages))('%s shows something at once, before its code and its data are there', async (path) => {
  const server = new Server().signedIn().shows([request])
  for (const call of ['GET /api/me', 'GET /api/orders', `GET /api/orders/${request.id}`] as const)
    server.on(call as never, () => new Promise(() => {}) as never)
  openPage(path.replace(':id', String(request.id)).replace(':token', 'abc').replace('*', 'nowhere'))
  const main = screen.getByRole('main')
  const shown = [...within(main).queryAllByRole('heading'), ...within(main).queryAllByRole('status')]
  expect(shown, main.innerHTML).not.toHaveLength(0)
})
