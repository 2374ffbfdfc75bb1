import { type ReactNode, useId } from 'react'
import { t } from '@/lib/texts'
import { FieldDescription, FieldError, FieldLabel, Field as Group } from './ui/field'

/** The attributes that connect a control with its label, help and error. */
type ControlProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

type Props = {
  label: ReactNode
  optional?: boolean
  help?: ReactNode
  error?: string
  className?: string
  children: (control: ControlProps) => ReactNode
}

/** No group of its own for each control, and its error is heard with it, as it has the focus, instead of as an alert. */
const plain = { role: undefined }

/** A control with its label, help text and error message, connected with each other. */
export function Field({ label, optional = false, help, error, className, children }: Props) {
  const id = useId()
  const described = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <Group {...plain} className={className}>
      <FieldLabel htmlFor={id} className="gap-1">
        {label}
        {optional && <span className="font-normal text-muted-foreground"> {t('parts_optional')}</span>}
      </FieldLabel>
      {children({
        id,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(error ? { 'aria-invalid': true as const } : {}),
      })}
      {help && (
        // What is said of an amount is empty while its error is shown: it then takes no room.
        <FieldDescription id={`${id}-help`} className="has-[>[aria-live]:only-child:empty]:-mt-2">
          {help}
        </FieldDescription>
      )}
      {error && (
        <FieldError {...plain} id={`${id}-error`}>
          {error}
        </FieldError>
      )}
    </Group>
  )
}
