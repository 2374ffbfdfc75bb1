// A third language is a file and a setting: a market that speaks a made-up one, built in a copy of the sources.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from '@playwright/test'
import { startDemoOf } from '../demo'
import { expect, test } from '../market'
import { messageWith, slash } from '../standin'

const sources = fileURLToPath(new URL('../../..', import.meta.url))

/** A draft of French, with few of the texts. */
const draft = {
  locales: ['fr'],
  draft: true,
  messages: { my_requests: 'Mes demandes' },
  page: { common_post_request: 'Publier une demande', problem_not_found: 'Il n’y a rien ici' },
  errors: { item_name_required: 'Il manque le nom de l’objet' },
}

/** Builds the program with the draft beside the other languages, and returns its path. */
function build(folder: string): string {
  const built = /\/(node_modules|dist|\.git|bin|e2e\/(pictures|test-results))$/
  for (const name of ['go.mod', 'go.sum', 'bot', 'cmd', 'core', 'dashboard', 'deploy', 'sql', 'web'])
    cpSync(join(sources, name), join(folder, name), {
      recursive: true,
      filter: (path) => !built.test(path),
    })
  writeFileSync(join(folder, 'core/text/fr.json'), JSON.stringify(draft))
  symlinkSync(join(sources, 'dashboard/node_modules'), join(folder, 'dashboard/node_modules'))
  execFileSync('npx', ['vite', 'build', '--logLevel', 'error'], { cwd: join(folder, 'dashboard') })
  const program = join(folder, 'tradepost')
  execFileSync('go', ['build', '-trimpath', '-o', program, './cmd/tradepost'], { cwd: folder })
  return program
}

test('a third language is a file and a setting, and English where it says nothing yet', async ({ browser }) => {
  test.skip(!process.env.THIRD_LANGUAGE, 'it builds the whole program once more: make third-language')
  test.setTimeout(900_000)
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-french-'))
  const demo = await startDemoOf(build(folder), '--languages', 'en,de,fr')
  const context = await browser.newContext({ baseURL: demo.board, locale: 'fr-FR' })
  try {
    // The page follows the browser.
    const page = await context.newPage()
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    await expect(page.getByRole('button', { name: 'Publier une demande' }).first()).toBeVisible()
    await expect(page.getByRole('heading', { name: 'All Requests' })).toBeVisible()
    const choice = page.getByRole('group', { name: 'Language' })
    await expect(choice.getByRole('button')).toHaveText(['English', 'Deutsch'])
    await expect(choice.locator('[aria-current]')).toHaveText('français')

    // Messages of errors follow the page.
    const api = await request.newContext({ baseURL: demo.board })
    const detail = async (language: string) =>
      (await (await api.get('/api/nothing', { headers: { 'X-Tradepost-Language': language } })).json()).detail
    expect(await detail('fr')).toBe('Il n’y a rien ici')
    expect(await detail('de')).toBe('Hier ist nichts')

    // The bot follows the choice of the account.
    const consent = await api.get('/auth/discord')
    const juniper = /value="(\d+)" aria-label="Continue as Juniper"/.exec(await consent.text())?.[1] ?? ''
    await api.post(consent.url(), { form: { player: juniper } })
    const chosen = await api.put('/api/me/language', { data: { language: 'fr' }, headers: { Origin: demo.board } })
    expect(chosen.ok(), await chosen.text()).toBe(true)
    const wrong = await api.post('/api/orders', {
      data: { quantity: 5, maxPricePerUnit: 5, category: 'Miner', buyerContact: 'juniper', importance: 'low' },
      headers: { 'X-Tradepost-Language': 'fr' },
    })
    expect((await wrong.json()).errors.itemName).toBe('Il manque le nom de l’objet')
    await page.goto(`${demo.discord}/#juniper_fox/dm`)
    await slash(page, 'request mine')
    const answer = messageWith(page, 'Mes demandes')
    await expect(answer).toBeVisible()
    await expect(answer).toContainText(/\d+ of \d+ left/)
  } finally {
    await context.close()
    await demo.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
