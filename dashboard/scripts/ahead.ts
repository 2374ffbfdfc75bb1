import type { Plugin } from 'vite'

type Chunk = { type: string; imports?: string[]; facadeModuleId?: string | null }

/** Names the page's modules in the document, so that the browser loads them beside it: the entry imports them only after the
 * first paint. Those of the list are marked, and the server leaves them out where cards are shown. They come after the style,
 * the face and the data, because on a slow line what the document itself shows comes first. A browser gives scripts that are
 * modules this priority by itself, and takes it from those that are named ahead. */
export function ahead(): Plugin {
  return {
    name: 'ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = bundle as Record<string, Chunk>
        const named = new Set([...html.matchAll(/(?:href|src)="\/([^"]+\.js)"/g)].map(([, file]) => file ?? ''))
        const links = (module: string, mark = '') => {
          const [file] = Object.entries(chunks).find(([, { facadeModuleId: id }]) => id?.endsWith(module)) ?? []
          if (!file) throw new Error(`the build has no chunk for ${module}`)
          return withImports(file, chunks, named)
            .map((name) => `    <link rel="modulepreload" crossorigin href="/${name}"${mark}>\n`)
            .join('')
        }
        const added = links('/src/app/start.tsx') + links('/src/features/orders/OrderList.tsx', ' data-for="list"')
        return html
          .replace('  </head>', `${added}  </head>`)
          .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
          .replaceAll('<script type="module"', '<script type="module" fetchpriority="low"')
      },
    },
  }
}

/** A chunk and what it imports, without those that are named already. */
function withImports(file: string, chunks: Record<string, Chunk>, named: Set<string>): string[] {
  if (named.has(file)) return []
  named.add(file)
  return [file, ...(chunks[file]?.imports ?? []).flatMap((name) => withImports(name, chunks, named))]
}
