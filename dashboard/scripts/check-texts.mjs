// Checks the texts of the page: each language has each key with the same places, each key is used, and the code has no sentence of
// its own. With -list it prints every finding, else the first of each file.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { placesOf, readMessages } from './messages.mjs'

const src = new URL('../src/', import.meta.url).pathname
/** Keys that the server draws. */
const isServers = (key) => /^(site|first_look|picture|preview|problem|price_method)_/.test(key)

const found = []
const { en, ...others } = readMessages()
for (const [language, messages] of Object.entries(others)) {
  for (const key of new Set([...Object.keys(en), ...Object.keys(messages)])) {
    const places = (of) => JSON.stringify(Object.entries(placesOf(of[key])).sort())
    if (!en[key] || !messages[key]) found.push(`${key} is only in one of en and ${language}`)
    else if (places(en) !== places(messages)) found.push(`${key} has other places in ${language}: ${places(messages)}`)
  }
}

/** What people never see: attributes and properties for the browser, styles and programs. */
const unseen =
  /^(class|className|name|id|value|type|key|to|href|src|rel|target|htmlFor|role|data-.*|autoComplete|autoCapitalize|inputMode|enterKeyHint|side|align|variant|size|tone|kind|method|accept|scope|as|dir|lang|fill|stroke|d|viewBox|transform|points|color|style|.*[cC]lass(Name|Names)?|aria-(haspopup|current|live|sort|controls|labelledby|describedby|expanded|orientation|relevant|modal))$/
/** Words for the browser that begin like a sentence. */
const known =
  /^(Enter|Escape|Esc|Tab|Home|End|Delete|Backspace|Space|Page(Up|Down)|Arrow(Up|Down|Left|Right)?|Shift|Control|Meta|Alt|Content-Type|Accept|Authorization|Idempotency-Key|Last-Event-ID|Retry-After|If-None-Match|Element|Error|AbortError|TimeoutError|Node|Intl|Object|GET|POST|PUT|DELETE|PATCH|OPTIONS|UTC|Discord|Tradepost|[A-Z0-9_-]+)$/

/** A text reads like a sentence, or a label, or a part of one. */
function isText(text, inMarkup) {
  const plain = text.trim()
  if (inMarkup) return /\p{L}{2}/u.test(plain) && !known.test(plain)
  if (known.test(plain)) return false
  return /^[A-Z][a-z]+([ ,.:!?…’'](?!\w+=)|$)/.test(plain) || /^[a-z’']+ .*[.!?…]$/.test(plain)
}

const used = new Set()
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/node_modules|\.test\.|\.gen\.|^test\/|^components\/ui\//.test(file),
)
for (const file of files) {
  const text = readFileSync(join(src, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const report = (node, what) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    found.push(`src/${file}:${line + 1}: ${what.trim().replace(/\s+/g, ' ')}`)
  }
  // Also where no text is looked for, as in a property called name.
  for (const [, key] of text.matchAll(/\b(?:t|rich)\(\s*'([a-z0-9_]+)'/g)) used.add(key)
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isExportDeclaration(node)) return
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const { text: name } = node.expression
      if (name === 't' || name === 'rich') {
        const [key] = node.arguments
        if (key && ts.isStringLiteral(key)) {
          used.add(key.text)
          if (!en[key.text]) report(node, `no text ${key.text}`)
        } else report(node, `${name} without its key`)
        node.arguments.slice(1).forEach(visit)
        return
      }
      if (name === 'cn' || name === 'cva') return
    }
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) return
    if (ts.isJsxAttribute(node) && unseen.test(node.name.getText())) return
    if (ts.isPropertyAssignment(node)) {
      const name = ts.isStringLiteral(node.name) ? node.name.text : node.name.getText()
      if (unseen.test(name))
        return visit(node.initializer.kind === ts.SyntaxKind.ArrowFunction ? node.initializer : ts.factory.createNull())
    }
    if (ts.isJsxText(node) && isText(node.text, true)) report(node, node.text)
    else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      const attribute = ts.isJsxAttribute(node.parent)
      if (isText(node.text, attribute && /^(aria-label|label|title|placeholder|alt)$/.test(node.parent.name.getText())))
        report(node, node.text)
    } else if (ts.isTemplateExpression(node)) {
      const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
      // Styles, addresses, ids and paths.
      const isStyle = texts.some((part) => /[[\]:/=_#?&-]|^\w+\.$/.test(part.replace(/ [–-] |: |https?:/g, '')))
      if (!isStyle && texts.some((part) => /\p{L}{2}/u.test(part))) report(node, node.getText())
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
}
for (const key of Object.keys(en)) if (!used.has(key) && !isServers(key)) found.push(`${key} is used nowhere`)

if (found.length > 0) {
  for (const what of found) console.error(what)
  console.error(`${found.length} findings: texts of the page stand in core/text (docs/translating.md)`)
  process.exitCode = 1
}
