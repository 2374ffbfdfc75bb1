import { availableParallelism } from 'node:os'
import { mergeConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import building from './vite.config.ts'

// Apart from vite.config.ts, so that building the page needs no Vitest.
export default mergeConfig(
  building,
  defineConfig({
    test: {
      environment: 'jsdom',
      setupFiles: ['./src/test/setup.ts'],
      include: ['src/**/*.test.{ts,tsx}'],
      restoreMocks: true,
      maxWorkers: availableParallelism() + 1, // a test of the page waits about half of its time
      testTimeout: 60_000 * Number(process.env.PATIENCE || 1), // longer than any wait inside a test
    },
  }),
)
