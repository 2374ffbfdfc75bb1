// The server's content security policy refuses HTML made of strings (require-trusted-types-for). Radix writes two constant
// style sheets that way, which hide the scrollbars of its lists: those pass, and nothing else does.

export const trustedStyles: readonly string[] = [
  '[data-radix-select-viewport]{scrollbar-width:none;-ms-overflow-style:none;-webkit-overflow-scrolling:touch;}[data-radix-select-viewport]::-webkit-scrollbar{display:none}',
  '[data-radix-scroll-area-viewport]{scrollbar-width:none;-ms-overflow-style:none;-webkit-overflow-scrolling:touch;}[data-radix-scroll-area-viewport]::-webkit-scrollbar{display:none}',
]

type Policies = { createPolicy(name: string, rules: { createHTML(html: string): string | null }): unknown }

const { trustedTypes } = globalThis as { trustedTypes?: Policies }
trustedTypes?.createPolicy('default', { createHTML: (html) => (trustedStyles.includes(html) ? html : null) })
