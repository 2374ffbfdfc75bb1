// One message as Discord shows it: who, when, what, its cards and its buttons.
import { dress, emoji, h, hidden, out, picture, round, safe, uid } from './dom.js'
import { markdown } from './markdown.js'

/**
 * renderMessage builds a message. `page` holds the state (users, rooms, me) and what can be done:
 * press(message, customId, values) and dismiss(message). A divider may stand above it.
 */
export function renderMessage(message, page, follows, divider) {
  const author = page.users[message.author.id] ?? { name: message.author.global_name ?? message.author.username, colour: '#777', bot: message.author.bot }
  const pinged = message.mention_everyone || message.mentions.some((user) => user.id === page.me)
  const user = message.interaction_metadata?.user
  const article = h(
    'article',
    { class: `message${pinged ? ' pinged' : ''}${message.private ? ' private' : ''}`, 'aria-label': `${author.name}, ${clock(message.timestamp)}` },
    message.used && user ? h('p', { class: 'used' }, round(page.users[user.id]), h('b', null, page.users[user.id]?.name ?? user.username), ' used ', h('code', null, called(message.used, page))) : null,
    !message.used && message.replyTo ? h('p', { class: 'used' }, '↪ ', message.replyTo) : null,
    h(
      'div',
      { class: 'body' },
      follows ? h('span', { class: 'round gap' }) : round(author),
      h(
        'div',
        { class: 'content' },
        follows
          ? null
          : h('p', { class: 'who' }, h('b', null, author.name), author.bot ? h('span', { class: 'tag' }, 'APP') : null, ' ', h('time', { datetime: message.timestamp, title: full(message.timestamp) }, clock(message.timestamp))),
        message.failed ? h('p', { class: 'failed' }, 'The application did not respond') : null,
        message.loading && !message.failed ? h('p', { class: 'thinking' }, `${author.name} is thinking`, h('span', { class: 'dots', 'aria-hidden': 'true' }, '…')) : null,
        h('div', { class: 'text' }, ...edited(markdown(message.content, page.users, page.rooms, page.reader), message)),
        ...(message.flags & 4 ? [] : message.embeds.map((embed) => renderEmbed(embed, page))),
        ...message.components.map((component) => renderComponent(component, message, page)),
        message.private
          ? h('p', { class: 'only' }, 'Only you can see this · ', h('button', { type: 'button', class: 'link', click: () => page.dismiss(message) }, 'Dismiss message'))
          : null,
      ),
    ),
  )
  return h('div', { class: follows ? 'follows' : null }, divider, article)
}

// called is a command as its reader calls it.
const called = (used, page) => `/${page.reader.commands[used.slice(1)] ?? used.slice(1)}`

// edited says so at the end of the last line.
function edited(nodes, message) {
  if (!message.edited_timestamp || !message.content) return nodes // Discord writes it beside a text alone
  const note = h('span', { class: 'edited', title: `Edited ${full(message.edited_timestamp)}` }, ' (edited)')
  const end = nodes.at(-1)
  if (end?.nodeName !== 'P') return [...nodes, note]
  end.append(note)
  return nodes
}

const full = (timestamp) => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(timestamp))

export function clock(timestamp) {
  const date = new Date(timestamp)
  const today = new Date().toDateString() === date.toDateString()
  return new Intl.DateTimeFormat(undefined, today ? { timeStyle: 'short' } : { dateStyle: 'short', timeStyle: 'short' }).format(date)
}

function colour(number) {
  return number === undefined || number === null ? null : `#${number.toString(16).padStart(6, '0')}`
}

function renderEmbed(embed, page) {
  const text = (value) => markdown(value, page.users, page.rooms, page.reader)
  const title = embed.title ? h('p', { class: 'embed-title' }, ...(safe(embed.url) ? [out(safe(embed.url), ...text(embed.title).flatMap((p) => [...p.childNodes]))] : text(embed.title))) : null
  const foot = [embed.footer?.text, embed.timestamp ? clock(embed.timestamp) : null].filter(Boolean).join(' · ')
  return h(
    'div',
    { class: 'embed', role: 'group', 'aria-label': embed.title ?? 'Card', style: { borderInlineStartColor: colour(embed.color) ?? '' } },
    embed.author?.name ? h('p', { class: 'embed-author' }, safe(embed.author.url) ? out(safe(embed.author.url), embed.author.name) : embed.author.name) : null,
    title,
    embed.description ? h('div', { class: 'text' }, ...text(embed.description)) : null,
    embed.fields?.length
      ? h('dl', { class: 'fields' }, ...embed.fields.map((field) => h('div', { class: field.inline ? 'inline' : null }, h('dt', null, ...flat(text(field.name))), h('dd', { class: 'text' }, ...text(field.value)))))
      : null,
    embed.image?.url && safe(embed.image.url) ? h('p', null, out(safe(embed.image.url), 'Picture')) : null,
    foot ? h('p', { class: 'embed-foot' }, foot) : null,
  )
}

// flat takes the paragraphs off a single line.
const flat = (nodes) => nodes.flatMap((node) => (node.nodeName === 'P' ? [...node.childNodes] : [node]))

function renderComponent(component, message, page) {
  const inside = () => component.components.map((part) => renderComponent(part, message, page))
  switch (component.type) {
    case 1:
      return h('div', { class: 'row' }, ...inside())
    case 2:
      return renderButton(component, message, page)
    case 3:
    case 5:
    case 7:
    case 8:
      return renderSelect(component, message, page)
    case 9:
      return h('div', { class: 'section' }, h('div', null, ...inside()), renderComponent(component.accessory, message, page))
    case 10:
      return h('div', { class: 'text' }, ...markdown(component.content, page.users, page.rooms, page.reader))
    case 11:
      return picture(component.media.url, page, 'thumbnail')
    case 12:
      return h('div', { class: 'gallery' }, ...component.items.map((item) => picture(item.media.url, page, 'large')))
    case 14:
      return h(component.divider === false ? 'div' : 'hr', { class: component.spacing === 2 ? 'wide space' : 'space' })
    case 17:
      return h('div', { class: `container${component.accent_color === null ? '' : ' coloured'}`, role: 'group', style: { borderInlineStartColor: colour(component.accent_color) ?? '' } }, ...inside())
    default:
      return h('p', { class: 'subtext' }, `(a component of kind ${component.type})`)
  }
}

const buttonStyles = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'secondary', 6: 'primary' }

function renderButton(component, message, page) {
  const icon = component.emoji?.name && !component.emoji.id ? component.emoji.name : ''
  const words = dress(`${icon}${icon && component.label ? ' ' : ''}${component.label ?? ''}`)
  if (component.emoji?.id) words.unshift(emoji(component.emoji), ' ')
  const look = { class: `button ${buttonStyles[component.style] ?? 'secondary'}` }
  if (component.style === 5) {
    const href = safe(component.url)
    return href ? h('a', { ...look, href, target: '_blank', rel: 'noopener noreferrer' }, ...words, h('span', { 'aria-hidden': 'true' }, ' ↗')) : h('span', look, ...words)
  }
  return h(
    'button',
    {
      ...look,
      type: 'button',
      disabled: component.disabled === true,
      'data-focus': component.custom_id,
      click: (event) => page.busy(event.currentTarget, () => page.press(message, component.custom_id)),
    },
    ...words,
  )
}

// choicesOf lists what a select offers: its own options, people or channels.
export function choicesOf(component, page) {
  switch (component.type) {
    case 5:
    case 7:
      return Object.entries(page.users).map(([value, user]) => ({ value, label: user.name, description: user.username }))
    case 8:
      return Object.values(page.rooms).filter((room) => !room.dm).map((room) => ({ value: room.id, label: `#${room.name}` }))
    default:
      return component.options ?? []
  }
}

const optionText = (option) => [option.emoji?.name && !option.emoji.id ? `${option.emoji.name} ` : '', option.label, option.description ? ` – ${option.description}` : ''].join('')

function renderSelect(component, message, page) {
  const several = (component.max_values ?? 1) > 1
  const options = choicesOf(component, page)
  const name = component.placeholder || 'Make a selection'
  const select = h(
    'select',
    { 'aria-label': name, disabled: component.disabled === true, multiple: several, size: several ? String(Math.min(6, options.length)) : null, 'data-focus': component.custom_id },
    several ? null : h('option', { value: '', selected: !options.some((option) => option.default) }, name),
    ...options.map((option) => h('option', { value: option.value, selected: option.default === true }, optionText(option))),
  )
  const chosen = () => [...select.selectedOptions].map((option) => option.value).filter(Boolean)
  const send = (button) => page.busy(button ?? select, () => page.press(message, component.custom_id, chosen()))
  if (!several) {
    select.addEventListener('change', () => chosen().length > 0 && send())
    return h('div', { class: 'select' }, select)
  }
  const id = uid('several')
  select.setAttribute('aria-describedby', id)
  return h(
    'div',
    { class: 'select' },
    select,
    h('span', { id, class: 'sr' }, `Choose ${component.min_values ?? 1} to ${component.max_values}`),
    h('button', { type: 'button', class: 'button secondary', click: (event) => send(event.currentTarget) }, 'Choose', hidden(` from ${name}`)),
  )
}
