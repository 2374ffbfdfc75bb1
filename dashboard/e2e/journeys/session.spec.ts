import { expect, signIn, test } from '../market'

test('a session change in one tab applies in the other', async ({ market }) => {
  const first = await market.visitor()
  await signIn(first, 'Juniper')
  const second = await first.context().newPage()
  await second.goto('/mine')
  await expect(second.getByRole('article').first()).toBeVisible()
  await expect(second.getByText('juniper@example.com')).toBeVisible()

  await first.getByRole('button', { name: 'Sign Out' }).click()
  await expect(second.getByText('Sign in to see this page')).toBeVisible()
  await expect(second.getByRole('article')).toHaveCount(0)

  await signIn(first, 'Tamsin')
  await expect(second.getByText('tamsin@example.com')).toBeVisible()
  await expect(second.getByRole('article').first()).toBeVisible()
})
