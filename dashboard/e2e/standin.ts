// The page of the stand-in Discord, as a user sees it.
import { expect, type Locator, type Page } from '@playwright/test'
import { discord } from './market'

/** Opens a user's window of the stand-in Discord, or goes to another channel there: that ends what was being written. */
export async function atDiscord(page: Page, username: string, channel: 'trading-post' | 'dm') {
  await page.goto(`${discord()}/#${username}/${channel}`)
  await expect(page.locator('#title')).toHaveText(channel === 'dm' ? 'Tradepost' : `# ${channel}`)
}

/** Runs a command. A value in a list picks the suggestion or choice that contains it; any other is typed. */
export async function slash(page: Page, command: string, options: Record<string, string | { pick: string }> = {}) {
  await page.getByRole('textbox', { name: 'Message' }).fill(`/${command}`)
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: `/${command}` })
  for (const [name, value] of Object.entries(options)) {
    const field = form.getByLabel(name, { exact: true })
    if (typeof value === 'string') {
      await field.fill(value)
    } else if ((await field.evaluate((element) => element.tagName)) === 'SELECT') {
      await field.selectOption(value.pick)
    } else {
      await field.fill(value.pick)
      await page.getByRole('option', { name: value.pick }).click()
    }
  }
  await form.getByRole('button', { name: 'Send' }).click()
}

/** The newest message that contains the text. */
export const messageWith = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('article').filter({ hasText: text }).last()

/** Presses a button that opens a form, fills it in and sends it. */
export async function submitForm(page: Page, button: Locator, fields: Record<string, string> = {}) {
  await button.click()
  const form = page.getByRole('dialog')
  for (const [name, value] of Object.entries(fields)) await form.getByLabel(name).fill(value)
  await form.getByRole('button', { name: 'Submit' }).click()
  await expect(form).toBeHidden()
}
