import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { dialog, openPage } from '@/test/page'
import { order, Server } from '@/test/server'

test('signed out there are no tabs, but an invitation to sign up', async () => {
  new Server().shows([order()])
  openPage()
  expect(await screen.findByRole('button', { name: /Sign In with Discord/ })).toBeVisible()
  expect(screen.getByText(/Sign up to post requests/)).toBeVisible()
  expect(screen.queryByRole('link', { name: /My Requests/ })).toBeNull()
})

test('Post Request leads a visitor to signing up, and the two modes lead to each other', async () => {
  new Server()
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: 'Post Request' }))
  const join = await dialog('Join the Community')
  await reader.click(join.getByRole('button', { name: 'Sign in' }))
  const back = await dialog('Welcome Back')
  expect(back.getByRole('button', { name: 'Continue with Discord' })).toBeEnabled()
  await reader.click(back.getByRole('button', { name: 'Sign up' }))
  await dialog('Join the Community')
})

test('signed in there are tabs with counts, the e-mail and a way out', async () => {
  new Server().signedIn([order({ userId: 1 })], { active: 12, fulfilled: 3 })
  openPage()
  expect(await screen.findByText('maple@example.com')).toBeVisible()
  expect(screen.getByRole('link', { name: /My Requests\s*12/ })).toBeVisible()
  expect(screen.getByRole('link', { name: /Completed\s*3/ })).toBeVisible()
  expect(screen.getByRole('button', { name: /Sign Out/i })).toBeVisible()
})

test('signing out clears everything that is mine, even when the call fails', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = new Server().signedIn([order({ userId: 1 })])
  server.on('POST /auth/sign-out', () => 'unreachable')
  const reader = openPage('/mine')
  expect(await screen.findByRole('article', { name: 'Iron Ore' })).toBeVisible()
  server.on('GET /api/me', () => 'unreachable')
  await reader.click(screen.getByRole('button', { name: /Sign Out/i }))
  expect(await screen.findByRole('button', { name: /Sign In with Discord/ })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Iron Ore' })).toBeNull())
})

test('when the session cannot be learned, the reader counts as signed out', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  new Server().on('GET /api/me', () => 'unreachable')
  openPage()
  expect(await screen.findByRole('button', { name: /Sign In with Discord/ })).toBeVisible()
})

test.each([
  ['denied', 'Discord was not allowed to sign you in.'],
  ['failed', 'An error occurred'],
])('a sign-in that ended as %s says so', async (outcome, sentence) => {
  new Server()
  openPage(`/?signin=${outcome}`)
  expect(await (await dialog('Welcome Back')).findByText(sentence)).toBeVisible()
})
