import type { Plugin } from 'vite'

type Chunk = { type: string; imports?: string[]; moduleIds?: string[] }

/** Keeps the page's modules in a template of the document, which public/theme.js puts into its head after the first paint: on a
 * slow line what the document itself shows comes first, and the modules then load side by side. Those of one view are marked, and
 * the server leaves them out where the other is shown. */
export function ahead(): Plugin {
  return {
    name: 'ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = bundle as Record<string, Chunk>
        const modules = html.match(tags) ?? []
        const named = new Set([...html.matchAll(/(?:href|src)="\/([^"]+\.js)"/g)].map(([, file]) => file ?? ''))
        const links = Object.entries(views).flatMap(([view, component]) => {
          const [file] =
            Object.entries(chunks).find(([, { moduleIds }]) => moduleIds?.some((id) => id.endsWith(component))) ?? []
          if (!file) throw new Error(`the build has no chunk for ${component}`)
          return withImports(file, chunks, new Set(named)).map(
            (name) => `    <link rel="modulepreload" crossorigin href="/${name}" data-for="${view}">\n`,
          )
        })
        return html
          .replace(tags, '')
          .replace(
            '  </head>',
            `    <template id="ahead">\n${modules.join('')}${links.join('')}    </template>\n  </head>`,
          )
      },
    },
  }
}

const tags = /^ *<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?\n/gm
/** What each view is drawn with. */
const views = { cards: '/src/features/orders/board/OrderGrid.tsx', list: '/src/features/orders/board/OrderList.tsx' }

/** A chunk and what it imports, without those that are named already. */
function withImports(file: string, chunks: Record<string, Chunk>, named: Set<string>): string[] {
  if (named.has(file)) return []
  named.add(file)
  return [file, ...(chunks[file]?.imports ?? []).flatMap((name) => withImports(name, chunks, named))]
}
