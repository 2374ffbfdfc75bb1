// Checks the page's markdown against a small document of its own. Run by a Go test; prints what differs and fails.
class Text {
  constructor(text) {
    this.text = text
    this.nodeName = '#text'
  }
  toString() {
    return this.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  }
}

class Element {
  constructor(name) {
    this.nodeName = name.toUpperCase()
    this.attributes = {}
    this.childNodes = []
    this.style = {}
  }
  setAttribute(name, value) {
    this.attributes[name] = value
  }
  addEventListener() {}
  append(...children) {
    for (const child of children) this.childNodes.push(typeof child === 'string' ? new Text(child) : child)
  }
  toString() {
    const name = this.nodeName.toLowerCase()
    const shown = ['href', 'class', 'start'].filter((key) => this.attributes[key]).map((key) => ` ${key}="${this.attributes[key]}"`)
    return `<${name}${shown.join('')}>${this.childNodes.join('')}</${name}>`
  }
}

globalThis.document = { createElement: (name) => new Element(name) }
const { markdown } = await import('../page/markdown.js')

const people = { 7: { name: 'Maple' } }
const rooms = { 9: { name: 'tavern' } }
const cases = {
  'plain': ['hello', '<p>hello</p>'],
  'two lines': ['a\nb', '<p>a<br></br>b</p>'],
  'bold, italic, both': ['**b** *i* _i_ ***bi***', '<p><strong>b</strong> <em>i</em> <em>i</em> <strong><em>bi</em></strong></p>'],
  'underline and strike': ['__u__ ~~s~~', '<p><u>u</u> <s>s</s></p>'],
  'nested': ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
  'unfinished': ['**a *b', '<p>**a *b</p>'],
  'underscores inside a word': ['snake_case_name', '<p>snake_case_name</p>'],
  'escaped': ['\\*a\\* \\_b\\_ \\`c\\` \\~\\~d \\|\\| \\# \\[x](y) \\\\', '<p>*a* _b_ `c` ~~d || # [x](y) \\</p>'],
  'an escaped name': ['@pim\\_the\\_elder', '<p>@pim_the_elder</p>'],
  'code': ['`**a**` ``b`c``', '<p><code>**a**</code> <code>b`c</code></p>'],
  'a block': ['x\n```go\n**a** <b>\n```\ny', '<p>x</p><pre><code>**a** &lt;b></code></pre><p>y</p>'],
  'headings': ['# One\n## Two\n### Three\n#### four', '<p class="h1">One</p><p class="h2">Two</p><p class="h3">Three</p><p>#### four</p>'],
  'a hash without a space': ['#one', '<p>#one</p>'],
  'small print': ['-# small', '<p class="subtext">small</p>'],
  'a quote': ['> a\n> b\nc', '<blockquote><p>a<br></br>b</p></blockquote><p>c</p>'],
  'a quote to the end': ['>>> a\nb', '<blockquote><p>a<br></br>b</p></blockquote>'],
  'lists': ['- a\n- b\n1. c\n2. d', '<ul><li>a</li><li>b</li><li>1. c</li></ul>'.replace('<li>1. c</li></ul>', '<li>c</li><li>d</li></ul>')],
  'a masked link': ['[guide](https://example.com/a)', '<p><a href="https://example.com/a">guide</a></p>'],
  'a link that runs a script': ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  'an address': ['see https://example.com/a_b_c.', '<p>see <a href="https://example.com/a_b_c">https://example.com/a_b_c</a>.</p>'],
  'an address without a preview': ['<https://example.com/>', '<p><a href="https://example.com/">https://example.com/</a></p>'],
  'mentions': ['<@7> <@!7> <@8> <#9> <@&1> @everyone', ['Maple', 'Maple', 'unknown-user'].map((n) => `<span class="mention">@${n}</span>`).join(' ').replace(/^/, '<p>') +
    ' <span class="mention">#tavern</span> <span class="mention">@unknown-role</span> <span class="mention">@everyone</span></p>'],
  'a command and an emoji': ['</request post:12> <:coin:34>', '<p><span class="mention">/request post</span> <img class="emoji"></img></p>'],
  'markup of the web': ['<b>x</b><script>alert(1)</script>', '<p>&lt;b>x&lt;/b>&lt;script>alert(1)&lt;/script></p>'],
  'a spoiler': ['||s||', '<p><button class="spoiler">▇▇▇▇</button></p>'],
  'round marks': ['🟡 5g', '<p><span class="dot gold">🟡</span> 5g</p>'],
}

let wrong = 0
for (const [name, [text, want]] of Object.entries(cases)) {
  const got = markdown(text, people, rooms).join('')
  if (got !== want) {
    wrong++
    console.log(`${name}: ${JSON.stringify(text)}\n  is    ${got}\n  wants ${want}`)
  }
}

// What grows faster than the text would hang the page.
const began = Date.now()
for (const text of ['*'.repeat(2000), '_a'.repeat(1000), '['.repeat(2000), '**a'.repeat(600), '> '.repeat(1000), '||'.repeat(999), '`'.repeat(2000)]) markdown(text, people, rooms)
if (Date.now() - began > 5000) {
  wrong++
  console.log(`texts of marks took ${Date.now() - began} ms`)
}
process.exit(wrong === 0 ? 0 : 1)
