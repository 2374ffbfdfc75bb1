import type { ComponentProps } from 'react'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from './ui/select'

type Props = Omit<ComponentProps<typeof SelectTrigger>, 'value' | 'onChange' | 'children'> & {
  options: readonly { value: string; label: string }[]
  value: string
  onValue: (value: string) => void
  /** Opens at once, for one who has pressed what stood here before it was loaded. */
  opened?: boolean
}

/** One of a few choices. A value that is none of them is shown, and cannot be chosen again. */
export default function Choice({ options, value, onValue, opened = false, name, ...trigger }: Props) {
  const known = options.some((option) => option.value === value)
  return (
    <Select name={name} value={value} onValueChange={onValue} defaultOpen={opened}>
      <SelectTrigger {...trigger}>
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {!known && value !== '' && (
          <SelectItem value={value} disabled>
            {value}
          </SelectItem>
        )}
        {options.map((option) => (
          <SelectItem key={option.value} value={option.value}>
            {option.label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  )
}
