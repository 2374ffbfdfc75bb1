import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { importanceNames } from '@/lib/market'
import { t } from '@/lib/texts'
import type { OrderForm, OrderValues } from './orderForm'

/** The fields that are always in sight. */
const first: readonly (keyof OrderValues)[] = ['itemName', 'quantity', 'maxPricePerUnit']

type Props = {
  form: OrderForm
  errorOf: (field: keyof OrderValues) => string | undefined
  /** Below the line while it is folded. */
  help: string
  children: ReactNode
}

/**
 * The rest of a request in a line that says what it holds, so that nothing is posted that was not in sight. A field in it that is
 * refused opens it and takes the focus. A description is too long for the line: with one it is open from the start.
 */
export function Folded({ form, errorOf, help, children }: Props) {
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
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 w-full items-center gap-2.5 rounded-md bg-muted px-3 py-2 text-left text-sm transition-colors hover:bg-accent hover:text-accent-foreground"
      >
        <ChevronDown aria-hidden className={cn('size-4 shrink-0 transition-transform', !open && '-rotate-90')} />
        <span className="min-w-0 flex-1 wrap-anywhere">
          <span className="sr-only">{t('orders_fold_label')} </span>
          {held(values).map((part, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts have their order
            <span key={i}>
              {i > 0 && ' · '}
              <bdi>{part}</bdi>
            </span>
          ))}
        </span>
        <span className="shrink-0 font-medium text-primary">{open ? t('orders_fold') : t('orders_fold_change')}</span>
      </button>
      {!open && <p className="text-muted-foreground text-sm">{help}</p>}
      <div id={id} hidden={!open} className="grid gap-5 pt-3 [&[hidden]]:hidden">
        {children}
      </div>
    </div>
  )
}

const shownOfDescription = 80

/** What the fold holds, each value that is posted. */
function held(values: OrderValues): string[] {
  const { category, importance, description } = values
  const [level, contact, ign, text] = [
    values.levelRequirement.trim(),
    values.buyerContact.trim(),
    values.ign.trim(),
    description.trim().replace(/\s+/g, ' '),
  ]
  return [
    ...(level ? [t('orders_fold_level', { category, level })] : [category, t('orders_any_level_fold')]),
    importanceNames[importance as keyof typeof importanceNames],
    contact || t('orders_fold_no_contact'),
    ...(ign ? [t('orders_fold_in_game', { name: ign })] : []),
    ...(values.signedInOnly === 'yes' ? [t('orders_fold_signed_in')] : []),
    ...(text
      ? [
          t('orders_fold_description', {
            text: text.length > shownOfDescription ? `${text.slice(0, shownOfDescription)}…` : text,
          }),
        ]
      : []),
  ]
}
