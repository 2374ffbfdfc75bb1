import { type ReactNode, useId } from 'react'
import { cn } from '@/lib/cn'

type Props = {
  label: ReactNode
  help?: ReactNode
  name?: string
  on: boolean
  onSwitch: (on: boolean) => void
}

/** A switch with a label and help text. */
export function Switch({ label, help, name, on, onSwitch }: Props) {
  const id = useId()
  return (
    <div data-slot="switch" className="flex items-start gap-3">
      <span className="relative mt-0.5 inline-flex h-6 w-10 shrink-0">
        <input
          id={id}
          type="checkbox"
          role="switch"
          name={name}
          checked={on}
          aria-checked={on}
          onChange={(event) => onSwitch(event.target.checked)}
          aria-describedby={help ? `${id}-help` : undefined}
          className="peer absolute inset-0 z-10 size-full cursor-pointer appearance-none rounded-full outline-offset-2 pointer-coarse:-inset-x-0.5 pointer-coarse:-inset-y-2.5 pointer-coarse:size-11"
        />
        <span
          aria-hidden
          className="absolute inset-0 rounded-full border bg-muted transition-colors peer-checked:border-primary peer-checked:bg-primary"
        />
        <span
          aria-hidden
          className={cn(
            'absolute top-1 left-1 size-4 rounded-full bg-foreground/70 transition-transform',
            'peer-checked:translate-x-4 peer-checked:bg-primary-foreground',
          )}
        />
      </span>
      <div className="min-w-0">
        <label htmlFor={id} className="cursor-pointer font-medium text-sm">
          {label}
        </label>
        {help && (
          <div id={`${id}-help`} className="text-muted-foreground text-sm">
            {help}
          </div>
        )}
      </div>
    </div>
  )
}
