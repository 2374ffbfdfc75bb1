import type { ReactNode, Ref } from 'react'
import { copperInWords, parseCopper } from '@/lib/copper'
import { game } from '@/lib/game'
import { t } from '@/lib/texts'
import { Amount } from './coins'
import { Field } from './labelled-field'
import { Input } from './ui/input'

type Props = {
  label: string
  optional?: boolean
  value: string
  onValue: (value: string) => void
  onBlur?: () => void
  error?: string
  help?: ReactNode
  name?: string
  /** Shown under the parsed amount. */
  hint?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** An input for an amount, with the parsed amount under it. */
export function CoinInput({ label, optional, value, onValue, onBlur, error, help, hint, name, ref }: Props) {
  const { copper } = parseCopper(value)
  const parsed =
    copper !== undefined && copper > 0n ? (
      <span className="flex flex-wrap items-baseline gap-x-2">
        <Amount value={copper} className="text-foreground" />
        <span aria-hidden="true">{copperInWords(copper)}</span>
      </span>
    ) : (
      !error && (help ?? t('parts_example', { example: game.example }))
    )
  return (
    <Field
      label={label}
      optional={optional}
      error={error}
      help={
        <>
          <span aria-live="polite">{parsed}</span>
          {hint && <span className="mt-1 block">{hint}</span>}
        </>
      }
    >
      {(control) => (
        <Input
          {...control}
          ref={ref}
          name={name}
          className="tabular"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => onValue(event.target.value)}
          onBlur={onBlur}
        />
      )}
    </Field>
  )
}
