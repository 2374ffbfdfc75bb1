import { cva, type VariantProps } from 'class-variance-authority'
import { CircleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { Label } from './label'
import { Separator } from './separator'

/** Fields that belong together, with a legend. */
export function FieldSet({ className, ...props }: ComponentProps<'fieldset'>) {
  return (
    <fieldset
      data-slot="field-set"
      className={cn(
        'flex min-w-0 flex-col gap-6 has-[>[data-slot=checkbox-group]]:gap-3 has-[>[data-slot=radio-group]]:gap-3',
        className,
      )}
      {...props}
    />
  )
}

type LegendProps = ComponentProps<'legend'> & { variant?: 'legend' | 'label' }

export function FieldLegend({ className, variant = 'legend', ...props }: LegendProps) {
  return (
    <legend
      data-slot="field-legend"
      data-variant={variant}
      className={cn('mb-3 font-medium data-[variant=label]:text-sm data-[variant=legend]:text-base', className)}
      {...props}
    />
  )
}

/** Its width decides how fields with the orientation `responsive` are laid out. */
export function FieldGroup({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="field-group"
      className={cn(
        'group/field-group @container/field-group flex w-full flex-col gap-6 data-[slot=checkbox-group]:gap-3 [&>[data-slot=field-group]]:gap-4',
        className,
      )}
      {...props}
    />
  )
}

const fieldVariants = cva('group/field flex w-full min-w-0 gap-2 data-[invalid=true]:text-destructive', {
  variants: {
    orientation: {
      vertical: 'flex-col [&>*]:w-full [&>.sr-only]:w-auto',
      horizontal:
        'flex-row items-center has-[>[data-slot=field-content]]:items-start [&>[data-slot=field-label]]:flex-auto',
      responsive:
        '@md/field-group:flex-row flex-col @md/field-group:items-center @md/field-group:has-[>[data-slot=field-content]]:items-start @md/field-group:[&>*]:w-auto [&>*]:w-full [&>.sr-only]:w-auto @md/field-group:[&>[data-slot=field-label]]:flex-auto',
    },
  },
  defaultVariants: { orientation: 'vertical' },
})

type FieldProps = ComponentProps<'div'> & VariantProps<typeof fieldVariants>

/** A control with its label, help and error. */
export function Field({ className, orientation = 'vertical', ...props }: FieldProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one more box in a form of many
    <div
      role="group"
      data-slot="field"
      data-orientation={orientation}
      className={cn(fieldVariants({ orientation }), className)}
      {...props}
    />
  )
}

/** Title and description beside a control. */
export function FieldContent({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="field-content"
      className={cn('group/field-content flex min-w-0 flex-1 flex-col gap-1', className)}
      {...props}
    />
  )
}

export function FieldLabel({ className, ...props }: ComponentProps<typeof Label>) {
  return (
    <Label
      data-slot="field-label"
      className={cn(
        'group/field-label peer/field-label w-fit group-data-[disabled=true]/field:opacity-55',
        'has-[>[data-slot=field]]:w-full has-[>[data-slot=field]]:flex-col has-[>[data-slot=field]]:rounded-md has-[>[data-slot=field]]:border has-data-[state=checked]:border-primary has-data-[state=checked]:bg-accent [&>[data-slot=field]]:p-4',
        className,
      )}
      {...props}
    />
  )
}

export function FieldTitle({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="field-title"
      className={cn(
        'flex w-fit items-center gap-2 font-medium text-sm group-data-[disabled=true]/field:opacity-55',
        className,
      )}
      {...props}
    />
  )
}

export function FieldDescription({ className, ...props }: ComponentProps<'p'>) {
  return (
    <p
      data-slot="field-description"
      className={cn(
        'text-muted-foreground text-sm group-has-[[data-orientation=horizontal]]/field:text-balance [&>a:hover]:text-primary [&>a]:underline [&>a]:underline-offset-4',
        className,
      )}
      {...props}
    />
  )
}

export function FieldSeparator({ className, children, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="field-separator"
      data-content={Boolean(children)}
      className={cn('relative -my-2 flex h-5 items-center text-sm', className)}
      {...props}
    >
      <Separator className="absolute inset-x-0 top-1/2" />
      {children && (
        <span
          data-slot="field-separator-content"
          className="relative mx-auto block w-fit bg-background px-2 text-muted-foreground in-data-[slot=card]:bg-card in-data-[slot=dialog-content]:bg-popover in-data-[slot=sheet-content]:bg-popover"
        >
          {children}
        </span>
      )}
    </div>
  )
}

type ErrorProps = ComponentProps<'div'> & { errors?: Array<{ message?: string } | undefined> }

/** What is wrong with the field: its children, or the messages of its errors, each once. */
export function FieldError({ className, children, errors, ...props }: ErrorProps) {
  const messages = [...new Set(errors?.map((error) => error?.message).filter((message) => message !== undefined))]
  if (!children && messages.length === 0) return null
  return (
    <div
      role="alert"
      data-slot="field-error"
      className={cn('flex items-start gap-1.5 text-destructive text-sm', className)}
      {...props}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {children ?? (messages.length === 1 ? messages[0] : <Messages messages={messages} />)}
    </div>
  )
}

function Messages({ messages }: { messages: string[] }) {
  return (
    <ul className="ml-4 flex list-disc flex-col gap-1">
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  )
}
