// Lists the pictures of docs/screens in its README.
import { readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../docs/screens/', import.meta.url))
const widths = ['360', '768', '1440']
const themes = ['light', 'dark']

const pictures = new Set(readdirSync(folder).filter((file) => file.endsWith('.png')))
const screens = [...new Set([...pictures].map((file) => file.replace(/-\d+-(light|dark)\.png$/, '')))].sort()
const cell = (screen, width) =>
  themes
    .map((theme) => [theme, `${screen}-${width}-${theme}.png`])
    .filter(([, file]) => pictures.has(file))
    .map(([theme, file]) => `[${theme}](${file})`)
    .join(' ')

writeFileSync(
  `${folder}README.md`,
  `# Screens

Every screen and state of the page, in both themes, at the widths of a phone, a tablet and a desk. \`make build\`, then \`npm run screens\` in
\`dashboard/e2e\` takes them anew, of the market that \`make run\` opens; how to get to each stands in \`dashboard/e2e/screens.ts\`.

| screen | ${widths.join(' | ')} |
|---|${widths.map(() => '---|').join('')}
${screens.map((screen) => `| ${screen.replaceAll('-', ' ')} | ${widths.map((width) => cell(screen, width)).join(' | ')} |`).join('\n')}
`,
)
