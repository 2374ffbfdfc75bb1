import { type ReactNode, useId } from 'react'
import { Field, FieldContent, FieldDescription, FieldLabel } from './ui/field'
import { Switch } from './ui/switch'

type Props = {
  label: ReactNode
  help?: ReactNode
  name?: string
  on: boolean
  onSwitch: (on: boolean) => void
}

/** A switch with its label and help text. */
export function SwitchField({ label, help, name, on, onSwitch }: Props) {
  const id = useId()
  return (
    <Field orientation="horizontal" className="gap-3">
      <Switch
        id={id}
        name={name}
        checked={on}
        onCheckedChange={onSwitch}
        aria-describedby={help ? `${id}-help` : undefined}
        className="mt-0.5"
      />
      <FieldContent className="gap-0">
        <FieldLabel htmlFor={id} className="cursor-pointer">
          {label}
        </FieldLabel>
        {help && <FieldDescription id={`${id}-help`}>{help}</FieldDescription>}
      </FieldContent>
    </Field>
  )
}
