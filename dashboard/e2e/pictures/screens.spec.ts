import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from '../market'
import { withPalette } from '../png'
import { type Screen, screens, show } from '../screens'

const folder = fileURLToPath(new URL('all/', import.meta.url))
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1440, height: 900 } }
const sizes = [
  { name: '360', ...phone.viewport, options: phone },
  { name: '768', width: 768, height: 1024, options: desktop },
  { name: '1440', ...desktop.viewport, options: desktop },
]
const themes = ['light', 'dark'] as const

test.beforeAll(() => {
  mkdirSync(folder, { recursive: true })
})

for (const screen of screens) {
  test(screen.name, async ({ market }) => {
    for (const size of sizes) {
      const options = {
        ...size.options,
        viewport: { width: size.width, height: size.height },
        colorScheme: 'light',
        reducedMotion: 'reduce',
      } as const
      const page = screen.as ? await market.player(screen.as, options) : await market.visitor(options)
      await show(page, forSize(screen, size.width))
      for (const theme of themes) {
        await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark')
        const picture = await page.screenshot({ animations: 'disabled' })
        writeFileSync(`${folder}${screen.name}-${size.name}-${theme}.png`, withPalette(picture))
      }
      await page.context().close()
    }
  })
}

/** On narrow screens the filters are in a sheet, which says "Sort and filter". */
function forSize(screen: Screen, width: number): Screen {
  if (screen.name !== 'board-filters' || width >= 1024) return screen
  return {
    ...screen,
    act: async (page) => {
      await screen.act?.(page)
      await page.getByRole('dialog', { name: 'Sort and filter' }).waitFor()
    },
  }
}
