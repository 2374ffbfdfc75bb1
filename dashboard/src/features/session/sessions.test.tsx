import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signedOut } from '@/api/me'
import type { Session } from '@/api/types'
import { dialog, openPage } from '@/test/page'
import { Server } from '@/test/server'

const hour = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const here: Session = { id: 'A', agent: 'Firefox on Linux', since: ago(30 * hour), usedAt: ago(0), current: true }
const phone: Session = {
  id: 'B',
  agent: 'Safari on iPhone',
  since: ago(99 * hour),
  usedAt: ago(5 * hour),
  current: false,
}

test('a user sees where they are signed in and ends one of it', async () => {
  const server = new Server().signedIn()
  let sessions = [here, phone]
  server.on('GET /api/me/sessions', () => ({ json: { sessions } }))
  server.on('DELETE /api/me/sessions/B', () => {
    sessions = [here]
    return { status: 204 }
  })
  const reader = openPage('/?dialog=data')
  const data = await dialog('Your Data')
  expect(await data.findByText('Firefox on Linux')).toHaveTextContent('This browser')
  expect(data.getByText(/last used within the hour/)).toBeVisible()
  expect(data.getByText(/last used 5 hours ago/)).toBeVisible()
  expect(data.queryByRole('button', { name: 'Sign out of Firefox on Linux' })).toBeNull()
  await reader.click(data.getByRole('button', { name: 'Sign out of Safari on iPhone' }))
  await expect.poll(() => data.queryByText('Safari on iPhone')).toBeNull()
  expect(data.getByRole('heading', { name: "Where you're signed in" })).toHaveFocus()
})

test('signing out everywhere signs out here too', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/sessions', () => ({ json: { sessions: [here, phone] } }))
  server.on('DELETE /api/me/sessions', () => {
    server.on('GET /api/me', () => ({ json: signedOut }))
    return { status: 204 }
  })
  const reader = openPage('/?dialog=data')
  await reader.click((await dialog('Your Data')).getByRole('button', { name: 'Sign Out Everywhere' }))
  expect(await screen.findByRole('button', { name: /Sign In with Discord/ })).toBeVisible()
})

test('a list that cannot be loaded says so', async () => {
  const server = new Server().signedIn()
  server.on('GET /api/me/sessions', () => 'unreachable')
  openPage('/?dialog=data')
  expect(await (await dialog('Your Data')).findByText(/Failed to load where you're signed in/)).toBeVisible()
})
