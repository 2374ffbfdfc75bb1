import { defineConfig } from '@playwright/test'

// Debian's browser, which scripts/chromium.sh finds; Playwright's own is never downloaded.
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium'

// Multiplies what the journeys wait for, on a slow or busy machine: make test PATIENCE=3
const patience = Number(process.env.PATIENCE || 1)

export const launchOptions = {
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export default defineConfig({
  testDir: './journeys',
  globalSetup: './demo.ts',
  // All journeys share one market. Each acts on requests of its own, so three may walk at a time: one of them mostly waits.
  workers: 3,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Reading a whole board for accessibility, twice in each theme, takes a while on a small machine.
  timeout: 120_000 * patience,
  expect: { timeout: 15_000 * patience },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions,
    viewport: { width: 1280, height: 900 },
    // A trace keeps the page at each step, which takes its time: npx playwright test --trace on
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
