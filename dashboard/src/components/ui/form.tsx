import { CircleAlert } from 'lucide-react'
import { type Label as LabelPrimitive, Slot } from 'radix-ui'
import { type ComponentProps, createContext, use, useId } from 'react'
import {
  Controller,
  type ControllerProps,
  type FieldPath,
  type FieldValues,
  FormProvider,
  useFormContext,
  useFormState,
} from 'react-hook-form'
import { cn } from '@/lib/cn'
import { Label } from './label'

/** Hands the form on to its fields. It draws nothing. */
export const Form = FormProvider

const FieldName = createContext<string | null>(null)
const ItemId = createContext<string | null>(null)

export function FormField<
  TFieldValues extends FieldValues = FieldValues,
  TName extends FieldPath<TFieldValues> = FieldPath<TFieldValues>,
>(props: ControllerProps<TFieldValues, TName>) {
  return (
    <FieldName value={props.name}>
      <Controller {...props} />
    </FieldName>
  )
}

/** The state of the field around it, and the ids of its parts. */
export function useFormField() {
  const name = use(FieldName)
  const id = use(ItemId)
  const { getFieldState } = useFormContext()
  const formState = useFormState({ name: name ?? undefined })
  if (name === null) throw new Error('useFormField is used outside of a FormField')
  if (id === null) throw new Error('useFormField is used outside of a FormItem')
  return {
    id,
    name,
    formItemId: `${id}-form-item`,
    formDescriptionId: `${id}-form-item-description`,
    formMessageId: `${id}-form-item-message`,
    ...getFieldState(name, formState),
  }
}

export function FormItem({ className, ...props }: ComponentProps<'div'>) {
  const id = useId()
  return (
    <ItemId value={id}>
      <div data-slot="form-item" className={cn('grid gap-2', className)} {...props} />
    </ItemId>
  )
}

export function FormLabel({ className, ...props }: ComponentProps<typeof LabelPrimitive.Root>) {
  const { error, formItemId } = useFormField()
  return (
    <Label
      data-slot="form-label"
      data-error={Boolean(error)}
      htmlFor={formItemId}
      className={cn('data-[error=true]:text-destructive', className)}
      {...props}
    />
  )
}

/** Connects the control in it with the label, the description and the message. */
export function FormControl(props: ComponentProps<typeof Slot.Root>) {
  const { error, formItemId, formDescriptionId, formMessageId } = useFormField()
  const describedBy = error ? `${formDescriptionId} ${formMessageId}` : formDescriptionId
  return (
    <Slot.Root
      data-slot="form-control"
      id={formItemId}
      aria-describedby={describedBy}
      aria-invalid={Boolean(error)}
      {...props}
    />
  )
}

export function FormDescription({ className, ...props }: ComponentProps<'p'>) {
  const { formDescriptionId } = useFormField()
  return (
    <p
      data-slot="form-description"
      id={formDescriptionId}
      className={cn('text-muted-foreground text-sm', className)}
      {...props}
    />
  )
}

/** What is wrong with the field, or else its children. */
export function FormMessage({ className, children, ...props }: ComponentProps<'p'>) {
  const { error, formMessageId } = useFormField()
  const body = error ? String(error.message ?? '') : children
  if (!body) return null
  return (
    <p
      data-slot="form-message"
      id={formMessageId}
      className={cn('flex items-start gap-1.5 text-sm', error && 'text-destructive', className)}
      {...props}
    >
      {error && <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />}
      {body}
    </p>
  )
}
