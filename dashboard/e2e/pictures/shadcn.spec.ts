import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { withPalette } from '../png'

// Pictures of the pages written for shadcn/ui (src/test/shadcn), in both themes. They are no part of the built page.

const folder = fileURLToPath(new URL('all/', import.meta.url))
const dashboard = fileURLToPath(new URL('../../', import.meta.url))

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const shown = (role: 'dialog' | 'alertdialog' | 'menu') => (page: Page) => page.getByRole(role).first().waitFor()

const states: { name: string; page: string; act?: ((page: Page) => Promise<unknown>)[] }[] = [
  { name: 'sign-in-card', page: 'sign-in-card' },
  { name: 'data-table', page: 'data-table' },
  {
    name: 'data-table-menu',
    page: 'data-table',
    act: [
      (page) => page.locator('button[aria-haspopup=menu]').click(),
      shown('menu'),
      (page) => page.getByText('Export').hover(),
    ],
  },
  { name: 'command-menu', page: 'command-menu' },
  {
    name: 'command-menu-open',
    page: 'command-menu',
    act: [(page) => page.keyboard.press('Control+k'), shown('dialog')],
  },
  { name: 'command-menu-popover', page: 'command-menu', act: [(page) => page.getByRole('combobox').last().click()] },
  {
    name: 'command-menu-tooltip',
    page: 'command-menu',
    act: [(page) => page.getByRole('button', { name: 'Search' }).hover()],
  },
  { name: 'settings-sheet', page: 'settings-sheet', act: [press('Settings'), shown('dialog'), press('Save')] },
  {
    name: 'settings-sheet-select',
    page: 'settings-sheet',
    act: [press('Settings'), shown('dialog'), (page) => page.getByRole('combobox').click()],
  },
  {
    name: 'settings-sheet-look',
    page: 'settings-sheet',
    act: [press('Settings'), shown('dialog'), (page) => page.getByRole('tab', { name: 'Look' }).click()],
  },
  {
    name: 'settings-sheet-toast',
    page: 'settings-sheet',
    act: [
      press('Settings'),
      (page) => page.getByLabel('Name').fill('Maple'),
      press('Save'),
      (page) => page.getByText('Saved').waitFor(),
    ],
  },
  { name: 'confirm-and-empty', page: 'confirm-and-empty', act: [press('Details')] },
  { name: 'confirm-and-empty-question', page: 'confirm-and-empty', act: [press('Delete'), shown('alertdialog')] },
  { name: 'confirm-and-empty-dialog', page: 'confirm-and-empty', act: [press('Open'), shown('dialog')] },
  { name: 'confirm-and-empty-drawer', page: 'confirm-and-empty', act: [press('Open the drawer'), shown('dialog')] },
]

let server: { listen(): Promise<unknown>; close(): Promise<void>; resolvedUrls: { local: string[] } | null }

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const vite = createRequire(`${dashboard}package.json`).resolve('vite')
  const { createServer } = await import(pathToFileURL(vite).href)
  server = await createServer({ root: dashboard, configFile: `${dashboard}vite.config.ts`, server: { port: 0 } })
  await server.listen()
})

test.afterAll(() => server.close())

for (const { name, page: asked, act = [] } of states) {
  for (const theme of ['light', 'dark']) {
    for (const width of [360, 960]) {
      test(`${name} ${theme} ${width}`, async ({ browser }) => {
        const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce' })
        const page = await context.newPage()
        const mistakes: string[] = []
        page.on('pageerror', (error) => mistakes.push(error.message))
        await page.goto(`${server.resolvedUrls?.local[0]}src/test/shadcn/?page=${asked}&theme=${theme}`)
        await page.locator('main *').first().waitFor()
        for (const step of act) await step(page)
        await page.waitForTimeout(300) // pictures only
        writeFileSync(
          `${folder}shadcn-${name}-${width}-${theme}.png`,
          withPalette(await page.screenshot({ animations: 'disabled' })),
        )
        expect(mistakes).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
        await context.close()
      })
    }
  }
}
