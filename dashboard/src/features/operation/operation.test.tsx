import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Machine } from '@/api/types'
import { openPage } from '@/test/page'
import { maple, Server } from '@/test/server'

const operator = { ...maple, operator: true }

const machine: Machine = {
  version: '0.9.0',
  at: '2026-11-28T12:00:00Z',
  wrong: 1,
  careful: 1,
  figures: { backupAgeSeconds: 3 * 3600, diskFreePercent: 60, certificateDays: 41 },
  checks: [
    { id: 'database', what: 'the database', state: 'good' },
    { id: 'encryption', what: 'backups', state: 'careful', says: 'not encrypted' },
    { id: 'market', what: 'the running market', state: 'wrong', says: 'look at its log' },
    { id: 'of-tomorrow', what: 'the lighthouse', state: 'notChecked', says: 'it is day' },
  ],
}

test('an operator reads how the machine is, from the account menu', async () => {
  const server = new Server().signedIn([], {}, operator)
  server.on('GET /api/operation', () => ({ json: machine }))
  const reader = openPage()
  await reader.click(await screen.findByRole('button', { name: /Account of/ }, { timeout: 30_000 }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Operation' }, { timeout: 30_000 }))
  await waitFor(() => expect(location.pathname).toBe('/operation'))
  expect(await screen.findByText('3 h old', undefined, { timeout: 30_000 })).toBeVisible()
  expect(screen.getByText('60 % free')).toBeVisible()
  expect(screen.getByText('41 days left')).toBeVisible()
  expect(screen.getByText('1 thing is not as it should be.')).toBeVisible()
  const rows = within(screen.getByRole('list', { name: 'All checks' })).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    'The running marketwronglook at its log',
    'Encryption of backupswarningnot encrypted',
    'The databasegood',
    'the lighthousenot checkedit is day',
  ])
})

test('what is not known of the machine is said, and a failure can be tried again', async () => {
  const server = new Server().signedIn([], {}, operator)
  server.fails('GET /api/operation', 503, 'The machine is being looked at. Try again in a few seconds.')
  const reader = openPage('/operation')
  const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 30_000 })
  server.on('GET /api/operation', () => ({ json: { ...machine, wrong: 0, figures: {}, checks: [] } }))
  await reader.click(again)
  expect(await screen.findAllByText('not known')).toHaveLength(3)
  expect(screen.getByText('Everything is as it should be.')).toBeVisible()
})

test('who is no operator reads nothing of the machine', async () => {
  const server = new Server().signedIn([], {}, { ...maple, moderator: true })
  openPage('/operation')
  expect(await screen.findByRole('heading', { name: 'For operators only' })).toBeVisible()
  expect(server.calls('GET /api/operation')).toHaveLength(0)
})
