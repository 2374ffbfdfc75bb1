// The place to write: a message box in which "/" lists commands, and the form for a command's options.
import { h, uid } from './dom.js'

/** composer fills the element. `page` gives the state and what can be done: say, command, complete. */
export function composer(element, page) {
  let open = null // the command whose form is shown

  const list = h('ul', { class: 'picker', role: 'listbox', id: uid('commands'), 'aria-label': 'Commands', hidden: true })
  const box = h('textarea', { rows: '1', id: uid('message'), autocomplete: 'off', placeholder: 'Message, or / for commands', maxlength: '2000', 'aria-controls': list.id })
  const alert = h('p', { class: 'alert', role: 'alert', hidden: true })
  const plain = h(
    'form',
    { class: 'plain', submit: (event) => (event.preventDefault(), send()) },
    h('button', { type: 'button', class: 'slash', 'aria-label': 'Commands', title: 'Commands', click: () => (box.value.startsWith('/') ? null : (box.value = '/'), box.focus(), suggest()) }, '/'),
    h('label', { for: box.id, class: 'sr' }, 'Message'),
    box,
    h('button', { class: 'button primary send' }, 'Send'),
  )
  const place = h('div', null, plain)
  element.append(list, alert, place)

  let active = -1
  const matching = () => {
    if (!box.value.startsWith('/') || box.value.includes('\n')) return []
    const words = box.value.slice(1).toLowerCase().trim()
    const score = (command) => {
      const at = command.label.toLowerCase().indexOf(words)
      return at < 0 ? (command.description.toLowerCase().includes(words) ? 500 : Infinity) : at
    }
    return page.commands().map((command) => [score(command), command]).filter(([s]) => s < Infinity).sort((a, b) => a[0] - b[0]).map(([, command]) => command)
  }

  function suggest() {
    const found = matching()
    active = found.length > 0 ? 0 : -1
    list.replaceChildren(...found.map((command, i) =>
      h('li', { role: 'option', id: `${list.id}-${i}`, 'aria-selected': String(i === active), mousedown: (event) => (event.preventDefault(), choose(command)) },
        h('b', null, `/${command.label}`), h('span', null, command.description))))
    if (found.length === 0 && box.value.startsWith('/')) list.replaceChildren(h('li', { class: 'none' }, 'No command like that'))
    list.hidden = !box.value.startsWith('/')
    point()
  }

  function point() {
    const options = [...list.querySelectorAll('[role=option]')]
    options.forEach((option, i) => option.setAttribute('aria-selected', String(i === active)))
    if (active >= 0 && !list.hidden) {
      box.setAttribute('aria-activedescendant', `${list.id}-${active}`)
      options[active]?.scrollIntoView({ block: 'nearest' })
    } else box.removeAttribute('aria-activedescendant')
  }

  const close = () => {
    list.hidden = true
    box.removeAttribute('aria-activedescendant')
  }

  box.addEventListener('input', () => {
    grow()
    say('')
    suggest()
  })
  box.addEventListener('blur', close)
  box.addEventListener('focus', () => box.value.startsWith('/') && suggest())
  box.addEventListener('keydown', (event) => {
    const found = list.hidden ? [] : matching()
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (found.length === 0) return
      event.preventDefault()
      active = (active + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length
      point()
    } else if ((event.key === 'Enter' && !event.shiftKey) || (event.key === 'Tab' && found.length > 0 && !event.shiftKey)) {
      event.preventDefault()
      if (found[active]) choose(found[active])
      else send()
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      close()
    }
  })

  function grow() {
    box.style.height = 'auto'
    box.style.height = `${Math.min(box.scrollHeight, 200)}px`
  }

  function say(text) {
    alert.textContent = text
    alert.hidden = text === ''
  }

  async function send() {
    const text = box.value.trim()
    if (text === '') return
    if (text.startsWith('/')) return say('There is no such command here.')
    const failed = await page.say(text)
    if (failed) return say(failed)
    box.value = ''
    grow()
    close()
  }

  /** choose opens the form for a command, filled with what is known already. */
  function choose(command, values = {}) {
    close()
    say('')
    box.value = ''
    grow()
    open = command
    const fields = command.options.map((option) => field(option, values[option.name], command))
    const submit = h('button', { class: 'button primary' }, 'Send')
    const form = h(
      'form',
      {
        class: 'command',
        'aria-label': `/${command.label}`,
        submit: (event) => (event.preventDefault(), run()),
        keydown: (event) => event.key === 'Escape' && !event.defaultPrevented && back(),
      },
      h('p', { class: 'command-title' }, h('b', null, `/${command.label}`), h('span', null, command.description)),
      h('div', { class: 'command-fields' }, ...fields.map((part) => part.element)),
      h('div', { class: 'command-buttons' }, submit, h('button', { type: 'button', class: 'button secondary', click: back }, 'Cancel')),
    )
    const collected = () => Object.fromEntries(fields.map((part) => [part.option.name, part.value()]).filter(([, value]) => value !== '' && value !== null))
    for (const part of fields) part.others = () => Object.fromEntries(Object.entries(collected()).filter(([name]) => name !== part.option.name))

    async function run() {
      submit.disabled = true
      const failed = await page.command(command.path, collected())
      submit.disabled = false
      if (failed) return say(failed)
      back()
    }
    place.replaceChildren(form)
    ;(form.querySelector('input, select') ?? submit).focus()
  }

  function back() {
    open = null
    say('')
    place.replaceChildren(plain)
    box.focus()
  }

  /** field builds one option: a label, what to fill in, and the hint under it. */
  function field(option, given, command) {
    const id = uid('option')
    const hint = h('p', { class: 'hint', id: `${id}-hint` }, option.hint)
    const common = { id, required: option.required === true, 'aria-describedby': hint.id }
    const part = { option, others: () => ({}) }
    let input
    let extra = null
    if (option.choices?.length) input = select(common, option.choices.map((choice) => [String(choice.value), choice.name]))
    else if (option.type === 5) input = select(common, [['true', 'Yes'], ['false', 'No']])
    else if (option.type === 6 || option.type === 9) input = select(common, page.people().map((user) => [user.id, user.name]))
    else if (option.type === 7) input = select(common, page.rooms().filter((room) => !room.dm).map((room) => [room.id, `#${room.name}`]))
    else if (option.autocomplete) ({ input, extra } = completing(common, option, part, command))
    else if (option.type === 4 || option.type === 10) {
      input = h('input', { ...common, type: 'number', step: option.type === 4 ? '1' : 'any', min: option.min_value, max: option.max_value, inputmode: option.type === 4 ? 'numeric' : 'decimal' })
    } else input = h('input', { ...common, type: 'text', minlength: option.min_length, maxlength: option.max_length ?? 6000, autocomplete: 'off' })
    if (given !== undefined) input.value = given
    part.value ??= () => (input.value === '' ? '' : (option.type === 4 || option.type === 10) && Number.isFinite(Number(input.value)) ? Number(input.value) : input.value)
    part.element = h('div', { class: 'field' }, h('label', { for: id, 'data-required': option.required === true }, option.label), h('div', { class: 'with-list' }, input, extra), hint)
    return part
  }

  function select(common, options) {
    return h('select', common, h('option', { value: '' }, common.required ? 'Choose…' : '–'), ...options.map(([value, label]) => h('option', { value }, label)))
  }

  /** completing is a text field that asks the bot for proposals while one types. */
  function completing(common, option, part, command) {
    const options = h('ul', { class: 'proposals', role: 'listbox', id: `${common.id}-list`, 'aria-label': 'Proposals', hidden: true })
    const input = h('input', { ...common, type: 'text', role: 'combobox', autocomplete: 'off', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': options.id })
    let proposals = []
    let at = -1
    let chosen = null
    let turn = 0
    let timer = 0
    part.value = () => (chosen ? chosen.value : input.value)

    const shut = () => {
      options.hidden = true
      input.setAttribute('aria-expanded', 'false')
      input.removeAttribute('aria-activedescendant')
    }
    const take = (choice) => {
      chosen = choice
      input.value = choice.name
      shut()
    }
    const mark = () => {
      ;[...options.children].forEach((li, i) => li.setAttribute('aria-selected', String(i === at)))
      if (at >= 0) {
        input.setAttribute('aria-activedescendant', `${options.id}-${at}`)
        options.children[at]?.scrollIntoView({ block: 'nearest' })
      } else input.removeAttribute('aria-activedescendant')
    }
    const ask = async () => {
      const mine = ++turn
      const found = await page.complete(command.path, option.name, input.value, part.others())
      if (mine !== turn || document.activeElement !== input) return
      proposals = found ?? []
      at = -1
      options.replaceChildren(...(proposals.length === 0
        ? [h('li', { class: 'none' }, found ? 'No options match your search.' : 'Loading options failed.')]
        : proposals.map((choice, i) => h('li', { role: 'option', id: `${options.id}-${i}`, 'aria-selected': 'false', mousedown: (event) => (event.preventDefault(), take(choice)) }, choice.name))))
      const edge = input.getBoundingClientRect()
      Object.assign(options.style, { left: `${edge.left}px`, bottom: `${innerHeight - edge.top + 4}px`, minWidth: `${edge.width}px` })
      options.hidden = false
      input.setAttribute('aria-expanded', 'true')
    }
    input.addEventListener('input', () => {
      chosen = null
      clearTimeout(timer)
      timer = setTimeout(ask, 120)
    })
    input.addEventListener('focus', () => chosen || ask())
    input.addEventListener('blur', shut)
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !options.hidden) {
        event.preventDefault()
        event.stopPropagation()
        shut()
      } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && proposals.length > 0) {
        event.preventDefault()
        at = (at + (event.key === 'ArrowDown' ? 1 : -1) + proposals.length) % proposals.length
        mark()
      } else if (event.key === 'Enter' && !options.hidden && at >= 0) {
        event.preventDefault()
        take(proposals[at])
      }
    })
    return { input, extra: options }
  }

  return {
    /** refresh closes a form whose command is gone, and keeps everything else as it was typed. */
    refresh() {
      if (open && !page.commands().some((command) => command.path === open.path)) back()
    },
    /** close leaves the form of a command, as going somewhere else does. */
    close() {
      say('')
      if (!open) return
      open = null
      place.replaceChildren(plain)
    },
    alert: say,
  }
}
