import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { openPage } from '@/test/page'
import { order, Server } from '@/test/server'

/** Has the document name the languages that the page can be read in. */
function offer(languages: string) {
  const meta = document.createElement('meta')
  meta.name = 'languages'
  meta.content = languages
  document.head.append(meta)
}

/** Keeps the page from loading again. */
function heldReload() {
  const reload = vi.fn()
  vi.stubGlobal('location', { ...location, reload })
  return reload
}

afterEach(() => {
  document.querySelector('meta[name=languages]')?.remove()
  // biome-ignore lint/suspicious/noDocumentCookie: as the page sets it
  document.cookie = 'tradepost_language=; path=/; max-age=0'
})

const foot = async () => within(await screen.findByRole('group', { name: 'Language' }))

test('a visitor chooses the language in the foot of the page', async () => {
  offer('en,de')
  const server = new Server().shows([order()])
  const reader = openPage('/?category=Miner')
  const choice = await foot()
  expect(choice.getByText('English')).toHaveAttribute('aria-current', 'true')
  expect(choice.queryByRole('button', { name: 'English' })).toBeNull()
  const german = choice.getByRole('button', { name: 'Deutsch' })
  expect(german).toHaveAttribute('lang', 'de')
  const reload = heldReload()
  await reader.click(german)
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(document.cookie).toContain('tradepost_language=de')
  expect(server.received.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('a user chooses the language in the account menu, and the account keeps it', async () => {
  offer('en,de')
  const server = new Server().signedIn()
  server.on('PUT /api/me/language', () => ({ json: { language: 'de' } }))
  const reader = openPage('/mine')
  await reader.click(await screen.findByRole('button', { name: /^Account of/ }))
  const menu = within(await screen.findByRole('menu'))
  const choice = within(menu.getByRole('group', { name: 'Language' }))
  expect(choice.getByRole('menuitemradio', { name: 'English' })).toBeChecked()
  expect(choice.getByRole('menuitemradio', { name: 'Deutsch' })).not.toBeChecked()
  const reload = heldReload()
  await reader.click(choice.getByRole('menuitemradio', { name: 'Deutsch' }))
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  const [sent] = server.received.filter(({ method }) => method === 'PUT')
  expect(sent).toMatchObject({ path: '/api/me/language', body: { language: 'de' }, key: expect.any(String) })
  expect(document.cookie).toContain('tradepost_language=de')
})

test('a language that the account cannot keep is not chosen', async () => {
  offer('en,de')
  const server = new Server().signedIn()
  server.on('PUT /api/me/language', () => ({ status: 500, json: {} }))
  const reader = openPage()
  const choice = await foot()
  await screen.findByRole('button', { name: /^Account of/ })
  const reload = heldReload()
  await reader.click(choice.getByRole('button', { name: 'Deutsch' }))
  expect(await screen.findByText('Failed to change the language. Please try again.')).toBeVisible()
  expect(reload).not.toHaveBeenCalled()
  expect(document.cookie).not.toContain('tradepost_language')
})

test.each(['', 'en'])('with “%s” there is no language to choose', async (languages) => {
  if (languages) offer(languages)
  new Server().signedIn()
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: /^Account of/ }))
  const menu = within(await screen.findByRole('menu'))
  expect(menu.queryByRole('menuitemradio')).toBeNull()
  expect(screen.queryByText('English')).toBeNull()
})

test('the cookie is kept from plain connections where the page is secure', async () => {
  const { rememberLanguage } = await import('@/lib/languages')
  const set = vi.spyOn(document, 'cookie', 'set')
  rememberLanguage('de')
  vi.stubGlobal('location', { ...location, protocol: 'https:' })
  rememberLanguage('de')
  const cookie = 'tradepost_language=de; path=/; max-age=31536000; samesite=lax'
  expect(set.mock.calls).toEqual([[cookie], [`${cookie}; secure`]])
})
