// A modal that the bot opened: its fields, sent as a whole.
import { h, uid } from './dom.js'
import { choicesOf } from './message.js'
import { markdown } from './markdown.js'

/** showModal opens a modal. `submit(fields)` sends it and gives the reason when it fails. */
export function showModal(dialog, modal, page, submit) {
  const alert = h('p', { class: 'alert', role: 'alert', hidden: true })
  const fields = []
  const parts = modal.components.map((part) => {
    if (part.type === 10) return h('div', { class: 'text' }, ...markdown(part.content, page.users, page.rooms, page.reader))
    const inside = part.type === 18 ? [[part.component, part.label, part.description]] : part.components.map((c) => [c, c.label, null])
    return h('div', null, ...inside.map(([component, label, description]) => field(component, label, description)))
  })

  function field(component, label, description) {
    const id = uid('field')
    const required = component.required !== false
    const hint = description ? h('p', { class: 'hint', id: `${id}-hint` }, description) : null
    const common = { id, required, 'aria-describedby': hint?.id }
    const control = input(component, common, label)
    fields.push([component.custom_id, control.value])
    return control.group
      ? h('fieldset', { class: 'field' }, h('legend', { 'data-required': required }, label), hint, control.element)
      : h('div', { class: 'field' }, h('label', { for: id, 'data-required': required && component.type !== 23 }, label), hint, control.element)
  }

  function input(component, common) {
    if (component.type === 4) {
      const limits = { ...common, minlength: component.min_length, maxlength: component.max_length ?? 4000, placeholder: component.placeholder, autocomplete: 'off' }
      const element = component.style === 2 ? h('textarea', { ...limits, rows: '5' }) : h('input', { ...limits, type: 'text' })
      element.value = component.value ?? ''
      return { element, value: () => element.value }
    }
    if (component.type === 23) {
      const element = h('input', { id: common.id, 'aria-describedby': common['aria-describedby'], type: 'checkbox', checked: component.default === true })
      return { element, value: () => String(element.checked) }
    }
    if (component.type === 21 || component.type === 22) {
      const type = component.type === 21 ? 'radio' : 'checkbox'
      const boxes = component.options.map((option) => h('input', { type, name: common.id, value: option.value, checked: option.default === true, required: type === 'radio' && common.required }))
      const element = h('div', { class: 'boxes' }, ...boxes.map((box, i) => h('label', null, box, ' ', component.options[i].label, component.options[i].description ? h('small', null, ` ${component.options[i].description}`) : null)))
      return { group: true, element, value: () => boxes.filter((box) => box.checked).map((box) => box.value).join('\n') }
    }
    const several = (component.max_values ?? 1) > 1
    const options = choicesOf(component, page)
    const element = h(
      'select',
      { ...common, multiple: several },
      several ? null : h('option', { value: '' }, component.placeholder || 'Make a selection'),
      ...options.map((option) => h('option', { value: option.value, selected: option.default === true }, option.label)),
    )
    return { element, value: () => [...element.selectedOptions].map((option) => option.value).filter(Boolean).join('\n') }
  }

  const send = h('button', { class: 'button primary' }, 'Submit')
  const form = h(
    'form',
    {
      submit: async (event) => {
        event.preventDefault()
        send.disabled = true
        const failed = await submit(Object.fromEntries(fields.map(([id, value]) => [id, value()])))
        send.disabled = false
        if (!failed) return dialog.close()
        alert.textContent = failed
        alert.hidden = false
      },
    },
    h('h2', { id: 'modal-title' }, modal.title),
    ...parts,
    alert,
    h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'button secondary', click: () => dialog.close() }, 'Cancel'), send),
  )
  dialog.replaceChildren(form)
  dialog.showModal()
  form.querySelector('input, textarea, select')?.focus()
}
