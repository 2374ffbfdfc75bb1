import { join } from 'node:path'
import type { Plugin } from 'vite'
import { compile, pseudo, readMessages } from './messages.mjs'

/** A call of src/lib/texts.ts with its key: t('offers_sent'), t('offers_left', { … }), rich('offers_of', { … }). */
const call = /(?<![\w.$'"`])(t|rich)\(\s*'([a-z][a-z0-9_]*)'\s*(,?)(\s*\))?/g
const marked = /__(text|rich)\((["'`])([a-z0-9_]+)\2\)/g

const folder = join(import.meta.dirname, '../../core/text')

/** Puts the texts of core/text where the page calls them by key, so that a browser gets no parser and no text that a file does not
 * use. A build has one folder of scripts a language: assets/en is written by the build, and each other is a copy with its texts. */
export function texts(): Plugin {
  let messages = readMessages()
  const hashed = Object.values(messages)
  if (process.env.PSEUDO_LANGUAGE) messages = { ...messages, pseudo: pseudo(messages.en ?? {}) }
  let building = false
  const language = process.env.TRADEPOST_LANGUAGE ?? 'en' // of the tests and of `make dev`
  const written = (of: string, how: string, key: string) => {
    const message = messages[of]?.[key]
    if (!message) throw new Error(`no text ${key} in core/text/${of}.json`)
    return compile(message, how === 'rich')
  }
  return {
    name: 'texts',
    enforce: 'pre',
    configResolved(config) {
      building = config.command === 'build'
    },
    configureServer({ watcher }) {
      watcher.add(folder)
    },
    hotUpdate({ file }) {
      if (!file.startsWith(folder)) return
      messages = readMessages()
      this.environment.moduleGraph.invalidateAll()
      this.environment.hot.send({ type: 'full-reload' })
    },
    transform(code, id) {
      if (!/\/src\/.*\.tsx?$/.test(id) || id.includes('/node_modules/')) return null
      const changed = code.replace(call, (_, how: 't' | 'rich', key: string, comma: string, end?: string) => {
        const kind = how === 't' ? 'text' : how
        const text = building ? `__${kind}("${key}")` : written(language, kind, key)
        if (end && how === 't') return text
        return `${how}(${text}${comma}${end ?? ''}`
      })
      return changed === code ? null : { code: changed, map: null }
    },
    // A file is named by its content, and its texts come after that.
    augmentChunkHash(chunk) {
      const keys = new Set<string>()
      for (const { code } of Object.values(chunk.modules)) {
        for (const [, , , key = ''] of (code ?? '').matchAll(marked)) keys.add(key)
      }
      return JSON.stringify([...keys].sort().map((key) => hashed.map((of) => of[key])))
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          const { code } = chunk
          const inlined = (of: string) =>
            code.replace(marked, (_, how: string, _quote, key: string) => written(of, how, key))
          for (const of of Object.keys(messages).filter((of) => of !== 'en')) {
            const own = (text: string) => text.replaceAll('assets/en/', `assets/${of}/`)
            this.emitFile({ type: 'asset', fileName: own(chunk.fileName), source: own(inlined(of)) })
          }
          chunk.code = inlined('en')
          if (/__(text|rich)\(/.test(chunk.code)) throw new Error(`a text in ${chunk.fileName} was not put in`)
        }
      },
    },
  }
}
