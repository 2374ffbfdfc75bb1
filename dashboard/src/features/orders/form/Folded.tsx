import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { FoldLine } from '@/components/fold-line'
import { Typed } from '@/components/typed'
import { eachField } from '@/lib/fields'
import { categoryName, importanceNames } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import type { OrderForm, OrderValues } from './orderForm'

/** The fields that are always in sight. */
const first: readonly (keyof OrderValues)[] = ['itemName', 'quantity', 'maxPricePerUnit']

type Props = {
  form: OrderForm
  errorOf: (field: keyof OrderValues) => string | undefined
  /** Below the line while it is folded. */
  help: string
  /** More that the children hold, in words. */
  held?: string | false | undefined
  children: ReactNode
}

/**
 * The rest of a request in one line with its values, so that nothing is posted that was not in sight. A field in it that is
 * refused opens it and takes the focus. A description is too long for the line: with one it is open from the start.
 */
export function Folded({ form, errorOf, help, held: also, children }: Props) {
  const id = useId()
  const values = form.watch()
  const [open, setOpen] = useState(() => form.getValues('description').trim() !== '')
  const focusNext = useRef<keyof OrderValues>(undefined)
  const names = Object.keys(values) as (keyof OrderValues)[]
  const refused = names.find((name) => !first.includes(name) && errorOf(name))
  const { submitCount } = form.formState

  // biome-ignore lint/correctness/useExhaustiveDependencies: with each press of the button a refused field is shown once more
  useEffect(() => {
    if (!refused || open) return
    if (!first.some((name) => errorOf(name))) focusNext.current = refused
    setOpen(true)
  }, [refused, submitCount])
  useEffect(() => {
    if (!open || !focusNext.current) return
    form.setFocus(focusNext.current)
    focusNext.current = undefined
  }, [open, form])

  return (
    <div className="grid gap-2">
      <FoldLine
        open={open}
        onOpen={setOpen}
        controls={id}
        label={t('orders_fold_label')}
        parts={[...held(values), ...(also ? [also] : [])]}
      />
      {!open && <p className="text-muted-foreground text-sm">{help}</p>}
      <div id={id} hidden={!open} className="grid gap-5 pt-3 [&[hidden]]:hidden">
        {children}
      </div>
    </div>
  )
}

const shownOfText = 80

/** The texts in the fold, without a contact, which is always part of the line. */
const texts = eachField((field) => field)
const folded = Object.values(texts).filter(({ name }) => !first.includes(name) && name !== 'buyerContact')

/** The values in the fold, as they are posted. */
function held(values: OrderValues): ReactNode[] {
  const { importance } = values
  const category = categoryName(values.category)
  const [level, contact] = [values.levelRequirement.trim(), values.buyerContact.trim()]
  const typed = folded.flatMap(({ name, kind, short }) => {
    const text = values[name].trim().replace(/\s+/g, ' ')
    if (!text) return []
    const shown = <Typed key={name}>{text.length > shownOfText ? `${text.slice(0, shownOfText)}…` : text}</Typed>
    return [
      kind === 'prose'
        ? rich('orders_fold_prose', { text: shown })
        : rich('orders_fold_text', { label: short, text: shown }),
    ]
  })
  return [
    ...(level ? [t('orders_fold_level', { category, level })] : [category, t('orders_any_level_fold')]),
    importanceNames[importance as keyof typeof importanceNames],
    contact ? <Typed key="contact">{contact}</Typed> : t('orders_fold_no_contact'),
    ...typed,
    ...(values.signedInOnly === 'yes' ? [t('orders_fold_signed_in')] : []),
    ...(values.noPrograms === 'yes' ? [t('orders_fold_no_programs')] : []),
  ]
}
