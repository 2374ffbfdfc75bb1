import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { minifySync, type Plugin } from 'vite'

const worthIt = /\.(js|css|svg|json|txt)$/

/** Writes a .gz and a .br beside every text file of the build, so that the server need not compress while it serves.
 * index.html is left out: the server fills in its head. */
export function precompress(): Plugin {
  let folder = 'dist'
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir
    },
    closeBundle() {
      if (process.env.PSEUDO_LANGUAGE) return // the journeys read it as it is
      // The one script that is not built.
      const theme = join(folder, 'theme.js')
      writeFileSync(theme, minifySync('theme.js', readFileSync(theme, 'utf8'), { compress: true, mangle: true }).code)
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const path = join(folder, file)
        if (!worthIt.test(file) || statSync(path).size < 1024) continue
        const plain = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }))
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(plain, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
          }),
        )
      }
    },
  }
}
