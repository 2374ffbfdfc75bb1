// Holds the directions of imports: app → features → components, hooks, api, lib. A feature imports no other feature.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

const src = new URL('../src/', import.meta.url).pathname
const mayImport = {
  app: ['app', 'features', 'components', 'hooks', 'api', 'lib', 'assets'],
  features: ['components', 'hooks', 'api', 'lib'],
  components: ['components', 'hooks', 'lib', 'api'],
  hooks: ['hooks', 'api', 'lib'],
  api: ['api', 'lib'],
  lib: ['lib'],
  test: ['app', 'features', 'components', 'hooks', 'api', 'lib', 'test'],
}

const wrong = []
for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/.test(file)) continue
  const [room, noun] = file.split('/')
  if (!mayImport[room]) continue // files beside the rooms, such as main.tsx
  const isTest = /\.test\.tsx?$/.test(file)
  for (const [, target] of readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    const path = target.startsWith('@/')
      ? target.slice(2)
      : target.startsWith('.')
        ? relative(src, normalize(join(src, dirname(file), target)))
        : null
    if (path === null || path.startsWith('..')) continue // a package, or the vectors shared with Go
    const [toRoom, toNoun] = path.split('/')
    const own = room === 'features' && toRoom === 'features' && noun === toNoun
    const allowed = own || mayImport[room].includes(toRoom) || (isTest && toRoom === 'test')
    if (!allowed)
      wrong.push(`src/${file} imports ${target}: ${room} may not import ${toRoom}${own ? '' : `/${toNoun}`}`)
  }
}

for (const line of wrong) console.error(line)
if (wrong.length > 0) process.exit(1)
