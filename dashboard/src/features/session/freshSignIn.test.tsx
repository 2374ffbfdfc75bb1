import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { dialog, openPage } from '@/test/page'
import { blockedUser, maple, order, report, Server } from '@/test/server'

const asks = 'You signed in more than 10 minutes ago. Please sign in once more to do this.'
const stale = (server: Server, call: string) => server.fails(call, 403, asks, { code: 'fresh_sign_in_needed' })

const signInLink = { name: 'Sign In Once More' }
const back = (address: string) => `/auth/discord?return=${encodeURIComponent(address)}`

test('an old sign-in leads from the account export to the sign-in and back', async () => {
  const server = stale(new Server().signedIn(), 'GET /api/me/data')
  const reader = openPage('/?dialog=data')
  const data = await dialog('Your Data')
  await reader.click(data.getByRole('link', { name: 'Download My Data' }))
  expect(await data.findByRole('alert')).toHaveTextContent(asks)
  expect(data.getByRole('link', signInLink)).toHaveAttribute('href', back('/?dialog=data'))

  const files: Blob[] = []
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: Blob) => files.push(file) && 'blob:1' }))
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  server.on('GET /api/me/data', () => ({ json: { user: maple } }))
  await reader.click(data.getByRole('link', { name: 'Download My Data' }))
  await waitFor(() => expect(saved.mock.contexts).toMatchObject([{ download: 'my-data.json', href: 'blob:1' }]))
  expect(await files[0]?.text()).toContain('maple')
  expect(data.queryByRole('alert')).toBeNull()
  saved.mockRestore()
})

test('an old sign-in is renewed before an account is deleted', async () => {
  stale(new Server().signedIn([order({ userId: 1 })]), 'DELETE /api/me')
  const reader = openPage('/?dialog=data')
  await reader.click((await dialog('Your Data')).getByRole('button', { name: 'Delete My Account' }))
  const question = await dialog('Delete My Account', 'alertdialog')
  await reader.click(question.getByRole('button', { name: 'Delete Everything' }))
  expect(await question.findByRole('link', signInLink)).toHaveAttribute('href', back('/?dialog=data'))
})

test('a moderator with an old sign-in keeps the reason of a block', async () => {
  const moderator = { ...maple, moderator: true }
  const server = stale(new Server().signedIn([], {}, moderator), 'POST /api/moderation/blocks')
  server.on('GET /api/moderation/reports', () => ({ json: { reports: [report()], nextCursor: null } }))
  const reader = openPage('/moderation')
  await reader.click(await screen.findByRole('button', { name: /^Block .*…$/ }))
  const form = await dialog(/^Block /)
  await reader.type(form.getByRole('textbox', { name: 'Reason' }), 'Cheats')
  await reader.click(form.getByRole('button', { name: /^Block / }))
  expect(await form.findByRole('link', signInLink)).toHaveAttribute('href', back('/moderation'))
  expect(form.getByRole('textbox', { name: 'Reason' })).toHaveValue('Cheats')
  expect(Object.values(sessionStorage).join()).toContain('Cheats') // it is there after the sign-in

  server.fails('POST /api/moderation/blocks', 409, 'This user is already blocked')
  await reader.click(form.getByRole('button', { name: /^Block / }))
  expect(await form.findByText('This user is already blocked')).toBeVisible()
  expect(form.queryByRole('link', signInLink)).toBeNull()
})

test('a moderator with an old sign-in is asked before a user is unblocked or visitors may offer', async () => {
  const server = new Server().signedIn([], {}, { ...maple, moderator: true })
  server.on('GET /api/moderation/blocks', () => ({ json: { users: [blockedUser()] } }))
  server.on('GET /api/rules', () => ({ json: { signedInOnlySince: '2026-05-01T12:00:00Z' } }))
  stale(server, 'DELETE /api/moderation/blocks/2')
  stale(server, 'DELETE /api/moderation/signed-in-only')
  const reader = openPage('/moderation?show=blocked')
  await reader.click(await screen.findByRole('button', { name: 'Unblock rowan' }))
  expect(await screen.findByRole('link', signInLink)).toHaveAttribute('href', back('/moderation?show=blocked'))
  await reader.click(await screen.findByRole('button', { name: 'Let visitors offer again' }))
  await waitFor(() => expect(screen.getAllByRole('link', signInLink)).toHaveLength(2))
})
