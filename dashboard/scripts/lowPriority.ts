import type { Plugin } from 'vite'

/** Has the browser load the page's modules after the style, the face and the data: on a slow line what the document itself
 * shows, and what the modules will draw, come first. A browser gives scripts that are modules this priority by itself, and
 * takes it from those that the build names ahead. */
export function lowPriority(): Plugin {
  return {
    name: 'low-priority',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
          .replaceAll('<script type="module"', '<script type="module" fetchpriority="low"'),
    },
  }
}
