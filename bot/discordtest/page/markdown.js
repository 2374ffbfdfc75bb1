// Discord's markdown, as nodes. Unknown or unfinished marks stay the characters they are.
import { dress, emoji, h, out, safe } from './dom.js'

/**
 * markdown renders a text. `people` maps user ids to players, `rooms` channel ids to channels. `reader` has the language of who reads it,
 * and what commands are called in it.
 */
export function markdown(text, people = {}, rooms = {}, reader = {}) {
  return blocks(text.replaceAll('\r\n', '\n'), { people, rooms, reader })
}

function blocks(text, context) {
  const nodes = []
  const fence = /```(?:([\w+-]+)\n)?([\s\S]*?)```/
  for (let found = fence.exec(text); found; found = fence.exec(text)) {
    nodes.push(...lines(text.slice(0, found.index).replace(/\n$/, ''), context))
    nodes.push(h('pre', null, h('code', null, found[2].replace(/^\n|\n$/g, ''))))
    text = text.slice(found.index + found[0].length).replace(/^\n/, '')
  }
  nodes.push(...lines(text, context))
  return nodes
}

function lines(text, context) {
  if (text === '') return []
  const nodes = []
  const rows = text.split('\n')
  let plain = []
  const flush = () => {
    if (plain.length > 0) nodes.push(h('p', null, ...inline(plain.join('\n'), context)))
    plain = []
  }
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    const heading = /^(#{1,3}) +(\S.*)$/.exec(row)
    const item = /^( *)(?:[-*]|(\d+)\.) +(\S.*)$/.exec(row)
    if (heading) {
      flush()
      nodes.push(h('p', { class: `h${heading[1].length}`, role: 'heading', 'aria-level': String(heading[1].length + 3) }, ...inline(heading[2], context)))
    } else if (row.startsWith('-# ')) {
      flush()
      nodes.push(h('p', { class: 'subtext' }, ...inline(row.slice(3), context)))
    } else if (row.startsWith('>>> ')) {
      flush()
      nodes.push(h('blockquote', null, ...lines([row.slice(4), ...rows.slice(i + 1)].join('\n'), context)))
      return nodes
    } else if (row.startsWith('> ')) {
      flush()
      const quoted = []
      while (i < rows.length && rows[i].startsWith('> ')) quoted.push(rows[i++].slice(2))
      i--
      nodes.push(h('blockquote', null, ...lines(quoted.join('\n'), context)))
    } else if (item) {
      flush()
      const list = h(item[2] ? 'ol' : 'ul', item[2] ? { start: item[2] } : null)
      for (let at = item; at; at = /^( *)(?:[-*]|(\d+)\.) +(\S.*)$/.exec(rows[i + 1] ?? ''), at && i++) {
        list.append(h('li', { class: at[1].length > 1 ? 'deep' : null }, ...inline(at[3], context)))
      }
      nodes.push(list)
    } else {
      plain.push(row)
    }
  }
  flush()
  return nodes
}

// The first rule that fits at a position wins.
const rules = [
  [/^\\([^0-9A-Za-z\s])/, (m) => [m[1]]],
  [/^``([\s\S]+?)``(?!`)/, (m) => [h('code', null, m[1])]],
  [/^`([^`]+)`/, (m) => [h('code', null, m[1])]],
  [/^\|\|([\s\S]+?)\|\|/, (m, c) => [spoiler(inline(m[1], c))]],
  [/^\*\*\*(?=\S)([\s\S]+?)\*\*\*(?!\*)/, (m, c) => [h('strong', null, h('em', null, ...inline(m[1], c)))]],
  [/^\*\*(?=\S)([\s\S]+?)\*\*(?!\*)/, (m, c) => [h('strong', null, ...inline(m[1], c))]],
  [/^__(?=\S)([\s\S]+?)__(?!_)/, (m, c) => [h('u', null, ...inline(m[1], c))]],
  [/^\*(?=\S)((?:\*\*|\\[^A-Za-z0-9\s]|\s+(?:[^*\s]|\*\*)|[^\s*\\])+?)\*(?!\*)/, (m, c) => [h('em', null, ...inline(m[1], c))]],
  [/^_(?=\S)((?:__|\\_|[^_])+?)_(?!\w)/, (m, c) => [h('em', null, ...inline(m[1], c))]],
  [/^~~(?=\S)([\s\S]+?)~~/, (m, c) => [h('s', null, ...inline(m[1], c))]],
  [/^\[((?:\\.|[^\]\\])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (m, c) => (safe(m[2]) ? [out(safe(m[2]), ...inline(m[1], { ...c, linked: true }))] : [m[0]])],
  [/^<@!?(\d+)>/, (m, c) => [h('span', { class: 'mention' }, `@${c.people[m[1]]?.name ?? 'unknown-user'}`)]],
  [/^<@&(\d+)>/, (m, c) => [h('span', { class: 'mention' }, `@${c.roles?.[m[1]] ?? 'unknown-role'}`)]],
  [/^<#(\d+)>/, (m, c) => [h('span', { class: 'mention' }, `#${c.rooms[m[1]]?.name ?? 'unknown'}`)]],
  [/^<\/([^:>]+):\d+>/, (m, c) => [h('span', { class: 'mention' }, `/${c.reader.commands?.[m[1]] ?? m[1]}`)]],
  [/^<a?:(\w+):(\d+)>/, (m) => [emoji({ name: m[1], id: m[2] })]],
  [/^<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/, (m, c) => [moment(Number(m[1]), m[2], c.reader.locale)]],
  [/^@(everyone|here)\b/, (m) => [h('span', { class: 'mention' }, m[0])]],
  [/^<(https?:\/\/[^\s>]+)>/, (m) => (safe(m[1]) ? [out(safe(m[1]), m[1])] : [m[0]])],
  [/^https?:\/\/[^\s<>]*[^\s<>.,:;"')\]!?*_~|]/, (m, c) => (!c.linked && safe(m[0]) ? [out(safe(m[0]), m[0])] : [m[0]])],
]

function inline(text, context) {
  const nodes = []
  let plain = ''
  const flush = () => {
    if (plain) nodes.push(...dress(plain))
    plain = ''
  }
  scan: while (text !== '') {
    if (/^[\\`|*_~[<@h]/.test(text)) {
      for (const [pattern, make] of rules) {
        const found = pattern.exec(text)
        // Underscores and addresses begin only where a word does.
        if (!found || ((text[0] === '_' || text[0] === 'h') && /\w$/.test(plain))) continue
        flush()
        nodes.push(...make(found, context))
        text = text.slice(found[0].length)
        continue scan
      }
    }
    if (text[0] === '\n') {
      flush()
      nodes.push(h('br'))
      text = text.slice(1)
      continue
    }
    // Everything up to the next character that may begin a mark is plain.
    const run = /^[^\\`|*_~[<@h\n]+/.exec(text)?.[0] ?? text[0]
    plain += run
    text = text.slice(run.length)
  }
  flush()
  return nodes
}

function spoiler(nodes) {
  const show = () => button.replaceWith(h('span', { class: 'revealed' }, ...nodes))
  const button = h('button', { type: 'button', class: 'spoiler', click: show, 'aria-label': 'Spoiler, show it' }, '▇▇▇▇')
  return button
}

const styles = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
}

function moment(seconds, style = 'f', locale = undefined) {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return `<t:${seconds}>`
  const full = new Intl.DateTimeFormat(locale, styles.F).format(date)
  const text = style === 'R' ? ago(date, locale) : new Intl.DateTimeFormat(locale, styles[style] ?? styles.f).format(date)
  return h('time', { datetime: date.toISOString(), title: full, class: 'moment' }, text)
}

/** ago says how far away a time is, in words. */
export function ago(date, locale = undefined) {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const seconds = (date.getTime() - Date.now()) / 1000
  for (const [unit, size] of [['year', 31536000], ['month', 2592000], ['day', 86400], ['hour', 3600], ['minute', 60]]) {
    if (Math.abs(seconds) >= size) return words.format(Math.round(seconds / size), unit)
  }
  return words.format(Math.round(seconds), 'second')
}
