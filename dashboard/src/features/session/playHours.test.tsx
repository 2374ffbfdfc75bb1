import { expect, onTestFinished, test } from 'vitest'
import { dialog, openPage, withFeatures } from '@/test/page'
import { Server } from '@/test/server'
import { presets, toLocal, toUTC } from './weekHours'

test('a user says when they play by a few presses and by hour, and erases it', async () => {
  onTestFinished(withFeatures('hours'))
  const server = new Server().signedIn()
  let now = { hours: [] as number[], learned: [toUTC(3)], learns: null as boolean | null }
  server.on('GET /api/me/hours', () => ({ json: now }))
  server.on('PUT /api/me/hours', ({ body }) => {
    now = { ...now, hours: (body as { hours: number[] }).hours }
    return { json: now }
  })
  server.on('PUT /api/me/hours/learning', () => {
    now = { ...now, learns: true }
    return { json: now }
  })
  server.on('DELETE /api/me/hours', () => {
    now = { hours: [], learned: [], learns: false }
    return { status: 204 }
  })
  const reader = openPage('/?dialog=data')
  const data = await dialog('Your Data')
  await reader.click(await data.findByRole('button', { name: 'Weekday evenings' }))
  expect(data.getByRole('button', { name: 'Weekday evenings' })).toHaveAttribute('aria-pressed', 'true')
  await reader.click(data.getByRole('button', { name: 'Choose hours' }))
  expect(data.getByLabelText(/^Monday 3:00.AM \(learned\)$/)).toBeVisible()
  await reader.click(data.getByLabelText(/^Saturday 8:00.PM$/))
  await reader.keyboard('{ArrowDown}{ArrowRight}')
  expect(data.getByLabelText(/^Sunday 9:00.PM$/)).toHaveFocus()
  await reader.click(data.getByRole('button', { name: 'Save' }))
  const expected = [...presets.evenings, 5 * 24 + 20].map(toUTC).sort((a, b) => a - b)
  expect(server.calls('PUT /api/me/hours')[0]).toMatchObject({ body: { hours: expected }, key: expect.any(String) })
  await reader.click(data.getByRole('checkbox', { name: /^Learn from/ }))
  expect(server.calls('PUT /api/me/hours/learning')[0]).toMatchObject({ body: { learns: true } })
  await reader.click(await data.findByRole('button', { name: 'Erase' }))
  await expect.poll(() => data.queryByRole('button', { name: 'Erase' })).toBeNull()
  expect(data.getByRole('button', { name: 'Weekday evenings' })).toHaveAttribute('aria-pressed', 'false')
})

test('hours of the week are the same there and back', () => {
  for (let hour = 0; hour < 168; hour++) expect(toUTC(toLocal(hour))).toBe(hour)
})

test('with hours off the account has none', async () => {
  onTestFinished(withFeatures('items'))
  new Server().signedIn()
  openPage('/?dialog=data')
  const data = await dialog('Your Data')
  expect(data.queryByText('When you play')).toBeNull()
})
