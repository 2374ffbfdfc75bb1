// Lists the pictures that were taken in a README beside them, and updates the few that the documents show.
import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const taken = fileURLToPath(new URL('all/', import.meta.url))
const documented = fileURLToPath(new URL('../../../docs/screens/', import.meta.url))
const widths = ['360', '768', '1440']
const themes = ['light', 'dark']

const pictures = new Set(readdirSync(taken).filter((file) => file.endsWith('.png')))
const screens = [...new Set([...pictures].map((file) => file.replace(/-\d+-(light|dark)\.png$/, '')))].sort()
const cell = (screen, width) =>
  themes
    .map((theme) => [theme, `${screen}-${width}-${theme}.png`])
    .filter(([, file]) => pictures.has(file))
    .map(([theme, file]) => `[${theme}](${file})`)
    .join(' ')

writeFileSync(
  `${taken}README.md`,
  `# All screens

Every screen and state of the page, in both themes, at the widths of a phone, a tablet and a desktop.

| screen | ${widths.join(' | ')} |
|---|${widths.map(() => '---|').join('')}
${screens.map((screen) => `| ${screen.replaceAll('-', ' ')} | ${widths.map((width) => cell(screen, width)).join(' | ')} |`).join('\n')}
`,
)

for (const file of readdirSync(documented)) {
  if (existsSync(taken + file) && file.endsWith('.png')) copyFileSync(taken + file, documented + file)
}
