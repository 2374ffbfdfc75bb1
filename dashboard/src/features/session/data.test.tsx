import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signedOut } from '@/api/me'
import { dialog, openPage } from '@/test/page'
import { maple, order, Server } from '@/test/server'

test('deleting the account asks for confirmation, then clears everything', async () => {
  const server = new Server().signedIn([order({ userId: 1 })])
  let left = 0
  server.on('DELETE /api/me', () => {
    left++
    return { status: 204 }
  })
  const reader = openPage('/?dialog=data')
  await reader.click((await dialog('Your Data')).getByRole('button', { name: 'Delete My Account' }))
  await reader.click(
    (await dialog('Delete My Account', 'alertdialog')).getByRole('button', { name: 'Keep My Account' }),
  )
  expect(left).toBe(0)
  await reader.click((await dialog('Your Data')).getByRole('button', { name: 'Delete My Account' }))
  server.on('GET /api/me', () => ({ json: signedOut }))
  await reader.click(
    (await dialog('Delete My Account', 'alertdialog')).getByRole('button', { name: 'Delete Everything' }),
  )
  expect(
    await screen.findByText('Your account will be deleted in 14 days. To keep it, sign in before then.'),
  ).toBeVisible()
  expect(await screen.findByRole('button', { name: /Sign In with Discord/ })).toBeVisible()
  expect(left).toBe(1)
})

test('a failed account deletion keeps the dialog open and shows an error', async () => {
  const server = new Server().signedIn([order({ userId: 1 })])
  server.on('DELETE /api/me', () => 'unreachable')
  const reader = openPage('/?dialog=data')
  await reader.click((await dialog('Your Data')).getByRole('button', { name: 'Delete My Account' }))
  const question = await dialog('Delete My Account', 'alertdialog')
  expect(question.getByRole('link', { name: 'Download My Data' })).toBeVisible()
  await reader.click(question.getByRole('button', { name: 'Delete Everything' }))
  expect(await question.findByText('Failed to delete your account. Please try again.')).toBeVisible()
})

test('a visitor who opens the address is asked to sign in', async () => {
  new Server()
  openPage('/?dialog=data')
  await dialog('Welcome Back')
})

test('a user who is leaving sees when their data are deleted, and can cancel that only', async () => {
  const server = new Server().signedIn([], {}, { ...maple, deletionAt: '2030-05-15T12:00:00Z' })
  server.on('POST /api/me/cancel-leaving', () => {
    server.signedIn()
    return { status: 204 }
  })
  const reader = openPage('/mine')
  expect(await screen.findByRole('heading', { name: 'Your Account Will Be Deleted' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Download My Data' })).toHaveAttribute('href', '/api/me/data')
  expect(screen.getByRole('main')).toHaveTextContent(/will be deleted on .*15.*2030/)
  expect(screen.getAllByRole('button')).toEqual([screen.getByRole('button', { name: 'Cancel Leaving' })])
  await reader.click(screen.getByRole('button', { name: 'Cancel Leaving' }))
  expect(await screen.findByRole('banner')).toBeVisible()
  expect(await screen.findByText("You're staying. Your requests are shown again.")).toBeVisible()
})
