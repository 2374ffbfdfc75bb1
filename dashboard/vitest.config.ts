import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { mergeConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import building from './vite.config.ts'

/** The tests that replace modules or load them again; others would find theirs replaced. */
const replacing = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `src/${file}`)
  .filter((file) => /vi\.(mock|doMock|resetModules)\(/.test(readFileSync(file, 'utf8')))

// Apart from vite.config.ts, so that building the page needs no Vitest.
export default mergeConfig(
  building,
  defineConfig({
    test: {
      environment: 'jsdom',
      setupFiles: ['./src/test/setup.ts'],
      restoreMocks: true,
      unstubGlobals: true,
      unstubEnvs: true,
      maxWorkers: availableParallelism() + 1, // each waits for a third of its time
      testTimeout: 60_000 * Number(process.env.PATIENCE || 1), // longer than any wait inside a test
      projects: [
        // To load the page again for each file took half of the processors' time.
        {
          extends: true,
          test: {
            name: 'shared',
            isolate: false,
            setupFiles: ['./src/test/wholePage.ts'],
            include: ['src/**/*.test.{ts,tsx}'],
            exclude: replacing,
          },
        },
        { extends: true, test: { name: 'replacing', include: replacing } },
      ],
    },
  }),
)
