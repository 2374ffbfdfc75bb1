import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '@/lib/texts'
import { ItemCombobox } from './item-combobox'
import { Field } from './labelled-field'

type Props = {
  /** The field with the lines. */
  area: RefObject<HTMLTextAreaElement | null>
  text: string
  onText: (text: string) => void
  /** The line of an item, and the part of it that is selected, to be typed over. */
  line: (name: string) => { before: string; selected: string; after: string }
}

/** Finds an item for a text of lines: an item that is taken becomes a new line, in which the rest is typed. */
export function ItemLine({ area, text, onText, line }: Props) {
  const [typed, setTyped] = useState('')
  function add(name: string) {
    const earlier = text.trimEnd()
    const { before, selected, after } = line(name)
    const start = earlier ? `${earlier}\n${before}` : before
    flushSync(() => {
      setTyped('')
      onText(start + selected + after)
    })
    area.current?.focus()
    area.current?.setSelectionRange(start.length, start.length + selected.length)
  }
  return (
    <Field label={t('parts_item_find')} help={t('parts_item_find_help')}>
      {(field) => <ItemCombobox {...field} value={typed} onValue={setTyped} onTake={({ name }) => add(name)} />}
    </Field>
  )
}
