// A small Discord: pick a player, talk to the bot. The server holds everything; the page shows it and asks again when
// told that something has changed.
import { composer } from './compose.js'
import { dress, h, hidden, round } from './dom.js'
import { clock, renderMessage } from './message.js'
import { showModal } from './modal.js'

const $ = (id) => document.getElementById(id)
const state = { users: {}, rooms: {}, messages: [], commands: [], channels: [], players: [] }

// Who plays and where stands in the address, so that two windows can be two players and a reload stays.
function place() {
  const [player, channel] = decodeURIComponent(location.hash.slice(1)).split('/')
  return { player: player || '', channel: channel || '' }
}

function go(player, channel) {
  location.hash = `${player}/${channel}`
}

async function post(path, body) {
  try {
    const response = await fetch(`/_standin/${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ player: state.me, channel: state.channel, ...body }) })
    const result = await response.json()
    return response.ok ? result : { error: result.error ?? 'That did not work' }
  } catch {
    return { error: 'The stand-in does not answer. Is it still running?' }
  }
}

const page = {
  get users() { return state.users },
  get rooms() { return state.rooms },
  get roles() { return state.roles ?? {} },
  get me() { return state.me },
  get reader() {
    const commands = Object.fromEntries(state.commands.map((command) => [command.path, command.label]))
    return { locale: state.users[state.me]?.locale, commands }
  },
}
page.commands = () => state.commands
page.people = () => Object.entries(state.users).map(([id, user]) => ({ ...user, id }))
page.channels = () => state.channels

/** did opens the modal that an action led to, and gives the reason when it failed. */
function did(result) {
  if (result.error) return result.error
  if (result.modal) showModal($('modal'), result.modal, page, async (fields) => did(await post('submit', { interaction: result.interaction, fields })))
  stick = true
  return null
}

page.press = async (message, customId, values) => write.alert(did(await post('press', { message: message.id, customId, values })) ?? '')
page.dismiss = (message) => post('dismiss', { message: message.id })
page.busy = async (element, act) => {
  element.disabled = true
  element.setAttribute('aria-busy', 'true')
  await act()
  element.disabled = false
  element.removeAttribute('aria-busy')
}

const write = composer($('compose'), {
  commands: page.commands,
  people: page.people,
  rooms: page.channels,
  say: async (text) => did(await post('say', { text })),
  command: async (command, options) => did(await post('command', { command, options })),
  complete: async (command, option, typed, options) => (await post('complete', { command, option, typed, options })).choices,
})

// One request for the state at a time; what changes meanwhile is asked for afterwards.
let asking = false
let again = false
async function refresh() {
  if (asking) {
    again = true
    return
  }
  asking = true
  try {
    const { player, channel } = place()
    const response = await fetch(`/_standin/state?player=${encodeURIComponent(player)}&channel=${encodeURIComponent(channel)}`)
    if (response.ok) show(await response.json())
  } catch {
    // The event stream reconnects by itself and asks again.
  }
  asking = false
  if (again) {
    again = false
    refresh()
  }
}

let counted = 0 // unread messages in all
let stick = true // keep the newest message in view
function show(next) {
  const moved = next.channel !== state.channel || next.me !== state.me
  Object.assign(state, next)
  state.rooms = Object.fromEntries(next.channels.map((channel) => [channel.id, channel]))
  const me = state.users[state.me]
  const here = state.rooms[state.channel]
  const unread = state.channels.reduce((sum, channel) => sum + channel.unread, 0)
  if (!moved && unread > counted) $('news').textContent = `${unread} unread`
  counted = unread
  document.title = `${unread > 0 ? `(${unread}) ` : ''}${me.name} in ${state.guild}`
  $('guild').textContent = state.guild
  $('title').textContent = here.dm ? here.name : `${signs[here.kind] ?? '#'} ${here.name}`
  $('topic').textContent = here.topic
  $('offline').hidden = state.connected
  $('offline').textContent = state.connected ? '' : `${state.app} is not connected. Commands will not be answered.`
  update($('players'), state.players, playerEntry)
  update($('channels'), state.channels.filter((channel) => !channel.dm), channelEntry)
  update($('dms'), state.channels.filter((channel) => channel.dm), channelEntry)
  showMessages(moved)
  write.refresh()
  markRead()
}

/** update keeps a list of entries, rebuilding only those that have changed, so that focus and what is chosen stay. */
function update(parent, items, make) {
  const old = new Map([...parent.children].map((child) => [child.dataset.id, child]))
  let focus = null
  const wanted = items.map((item, i) => {
    const was = old.get(item.id)
    const key = JSON.stringify([item, make.depends?.(item, items[i - 1])])
    if (was?.dataset.key === key) return was
    if (was?.contains(document.activeElement)) focus = document.activeElement.dataset.focus
    const made = make(item, items[i - 1])
    made.dataset.id = item.id
    made.dataset.key = key
    return made
  })
  for (const child of [...parent.children]) if (!wanted.includes(child)) child.remove()
  wanted.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null)
  })
  if (focus) parent.querySelector(`[data-focus="${CSS.escape(focus)}"]`)?.focus()
}

function playerEntry(player) {
  return h(
    'label',
    { class: 'player' },
    h('input', { type: 'radio', name: 'player', value: player.id, checked: player.id === state.me, 'data-focus': player.id, change: () => go(player.username, place().channel) }),
    round(player),
    h('span', null, player.name, h('small', { 'aria-hidden': 'true' }, player.manager ? `${player.username} · runs the server` : player.username)),
    badge(player.id === state.me ? 0 : player.unread),
  )
}
playerEntry.depends = (player) => player.id === state.me

// Signs stand before the names of channels, as Discord draws them.
const signs = { text: '#', announcement: '📣', forum: '☰', thread: '⌙', post: '⌙' }
const inThread = (channel) => channel.kind === 'thread' || channel.kind === 'post'

/** postEntry is a post of a forum, as its list shows it. */
function postEntry(post) {
  return h(
    'li',
    null,
    h(
      'button',
      { type: 'button', class: 'post', 'data-focus': post.id, click: () => go(state.users[state.me].username, post.id) },
      h('b', null, post.name),
      h('small', null, dress(post.first)),
      h('span', { class: 'tags' }, ...post.tags.map((tag) => h('span', { class: 'forum-tag' }, tag)), post.archived ? h('span', { class: 'forum-tag closed' }, post.locked ? 'Locked' : 'Archived') : null),
    ),
  )
}

function channelEntry(channel) {
  const current = channel.id === state.channel
  return h(
    'li',
    null,
    h(
      'button',
      { type: 'button', class: `channel${channel.unread > 0 && !current ? ' unread' : ''}${inThread(channel) ? ' inside' : ''}`, 'aria-current': current ? 'page' : null, 'data-focus': channel.id, click: () => (go(state.users[state.me].username, channel.dm ? 'dm' : inThread(channel) ? channel.id : channel.name), menu(false)) },
      channel.dm ? round(state.users[state.bot]) : h('span', { class: 'hash', 'aria-hidden': 'true' }, signs[channel.kind] ?? '#'),
      h('span', null, channel.name),
      badge(current ? 0 : channel.unread),
    ),
  )
}
channelEntry.depends = (channel) => channel.id === state.channel

const badge = (n) => (n > 0 ? h('span', { class: 'badge' }, String(n), hidden(' unread')) : null)

const entry = (message, previous) => renderMessage(message, page, follows(message, previous), divider(message, previous))
entry.depends = (message, previous) => [follows(message, previous), isNew(message, previous), state.me, clock(message.timestamp)]

// Between days stands the day, and above the first message that was not read yet, that it is new.
function divider(message, previous) {
  const words = []
  if (isNew(message, previous)) words.push('New')
  if (!sameDay(message, previous)) words.push(new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(message.timestamp)))
  return words.length > 0 ? h('p', { class: `divider${words[0] === 'New' ? ' new' : ''}` }, h('span', null, words.join(' · '))) : null
}

const sameDay = (message, previous) => Boolean(previous) && new Date(message.timestamp).toDateString() === new Date(previous.timestamp).toDateString()

let readTo = '' // up to where the channel had been read when it was opened
const newer = (message) => readTo !== '' && BigInt(message.id) > BigInt(readTo) && message.author.id !== state.me
const isNew = (message, previous) => Boolean(previous) && newer(message) && !newer(previous)

// A message follows another where the same author goes on within minutes.
function follows(message, previous) {
  return Boolean(
    sameDay(message, previous) &&
      !isNew(message, previous) &&
      previous.author.id === message.author.id &&
      previous.private === message.private &&
      !message.used &&
      !message.replyTo &&
      new Date(message.timestamp) - new Date(previous.timestamp) < 5 * 60_000,
  )
}

function showMessages(moved) {
  const scroll = $('scroll')
  const before = $('log').lastElementChild?.dataset.id
  if (moved) {
    $('log').replaceChildren()
    $('newer').hidden = true
    stick = true
    readTo = state.rooms[state.channel].read
    write.close()
  }
  update($('log'), state.messages, entry)
  update($('posts'), state.posts ?? [], postEntry)
  const forum = state.rooms[state.channel].kind === 'forum'
  $('posts').hidden = !forum
  $('compose').hidden = forum
  $('empty').hidden = state.messages.length > 0 || (forum && state.posts.length > 0)
  $('empty').textContent = state.rooms[state.channel].dm ? `This is the beginning of your direct messages with ${state.app}.` : 'Nothing here yet. Type / to see what the bot can do.'
  if (stick) scroll.scrollTop = scroll.scrollHeight
  else if (before !== $('log').lastElementChild?.dataset.id) $('newer').hidden = false
}

$('scroll').addEventListener('scroll', () => {
  const scroll = $('scroll')
  stick = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 60
  if (stick) {
    $('newer').hidden = true
    markRead()
  }
})
$('newer').addEventListener('click', () => {
  $('scroll').scrollTop = $('scroll').scrollHeight
})

function markRead() {
  const here = state.rooms[state.channel]
  if (here?.unread > 0 && here.last && stick && document.visibilityState === 'visible') post('read', { message: here.last })
}
document.addEventListener('visibilitychange', markRead)

function menu(open) {
  $('app').classList.toggle('menu-open', open)
  $('menu').setAttribute('aria-expanded', String(open))
}
$('menu').addEventListener('click', () => menu(!$('app').classList.contains('menu-open')))

// The theme follows the system until somebody chooses.
function theme(choice) {
  const dark = choice ? choice === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  $('theme').textContent = dark ? 'Light theme' : 'Dark theme'
}
theme(localStorage.getItem('theme'))
$('theme').addEventListener('click', () => {
  const choice = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'
  localStorage.setItem('theme', choice)
  theme(choice)
})

$('open-settings').addEventListener('click', () => {
  const me = state.players.find((player) => player.id === state.me)
  const language = h('select', { id: 'language', change: () => post('settings', { locale: language.value }) }, ...state.locales.map((locale) => h('option', { value: locale, selected: locale === me.locale }, name(locale))))
  const closed = h('input', { type: 'checkbox', id: 'closed', checked: me.dmsClosed, change: () => post('settings', { dmsClosed: closed.checked }) })
  $('settings').replaceChildren(
    h('form', { method: 'dialog' },
      h('h2', { id: 'settings-title' }, `Settings of ${me.name}`),
      h('div', { class: 'field' }, h('label', { for: 'language' }, 'Language'), h('p', { class: 'hint' }, 'Commands and answers come in it, where the bot knows it.'), language),
      h('div', { class: 'field' }, h('label', { class: 'check' }, closed, ' Refuse direct messages from the bot')),
      h('div', { class: 'buttons' }, h('button', { class: 'button primary' }, 'Done')),
    ),
  )
  $('settings').showModal()
})

$('open-join').addEventListener('click', () => {
  const shown = h('input', { id: 'join-name', maxlength: '32', autocomplete: 'off' })
  const username = h('input', { id: 'join-username', required: true, maxlength: '32', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'join-hint' })
  const alert = h('p', { class: 'alert', role: 'alert', hidden: true })
  const dialog = $('join')
  dialog.replaceChildren(
    h('form', {
      submit: async (event) => {
        event.preventDefault()
        const joined = await post('join', { name: shown.value, username: username.value })
        alert.textContent = joined.error ?? ''
        alert.hidden = !joined.error
        if (joined.error) return
        dialog.close()
        go(joined.username, place().channel)
      },
    },
      h('h2', { id: 'join-title' }, 'Add a player'),
      h('div', { class: 'field' }, h('label', { for: 'join-username', 'data-required': true }, 'Username'), h('p', { class: 'hint', id: 'join-hint' }, 'Small letters, digits, dots and underscores.'), username),
      h('div', { class: 'field' }, h('label', { for: 'join-name' }, 'Name'), shown),
      alert,
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'button secondary', click: () => dialog.close() }, 'Cancel'), h('button', { class: 'button primary' }, 'Add')),
    ),
  )
  dialog.showModal()
  username.focus()
})

function name(locale) {
  const words = new Intl.DisplayNames(['en'], { type: 'language' }).of(locale)
  return words === locale ? locale : `${words} (${locale})`
}

addEventListener('hashchange', refresh)
const events = new EventSource('/_standin/events')
events.addEventListener('change', refresh)
events.addEventListener('error', () => {
  $('offline').hidden = false
  $('offline').textContent = 'The stand-in does not answer. Is it still running?'
})
refresh()
