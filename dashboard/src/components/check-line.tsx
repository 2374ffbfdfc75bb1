import { useId } from 'react'
import { Checkbox } from '@/components/ui/checkbox'

type Props = { label: string; on: boolean; disabled?: boolean; onSwitch: (on: boolean) => void }

/** A checkbox with its label, in a line of its own. */
export function CheckLine({ label, on, disabled, onSwitch }: Props) {
  const id = useId()
  return (
    <div className="flex min-h-8 items-center gap-2.5 max-sm:min-h-11">
      <Checkbox
        id={id}
        className="size-5"
        checked={on}
        disabled={disabled}
        onCheckedChange={(checked) => onSwitch(checked === true)}
      />
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
    </div>
  )
}
