import { defineConfig } from '@playwright/test'
import journeys from './playwright.config'

// `npm run screens` takes a picture of every screen and state into pictures/all.
export default defineConfig(journeys, {
  testDir: './pictures',
  workers: 1,
  fullyParallel: false,
  timeout: 180_000,
  use: { trace: 'off', screenshot: 'off' },
})
