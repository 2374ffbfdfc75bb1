import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from './ui/select'

type Props = Omit<ComponentProps<typeof SelectTrigger>, 'value' | 'onChange' | 'children'> & {
  options: readonly { value: string; label: string }[]
  value: string
  onValue: (value: string) => void
  /** Opens at once, for one who has pressed what stood here before it was loaded. */
  opened?: boolean
  /** Stands for the choice where there is no room for its words, in place of the arrow. */
  icon?: ReactNode
}

/** One of a few choices. A value that is none of them is shown, and cannot be chosen again. */
export default function Choice({ options, value, onValue, opened = false, name, icon, className, ...trigger }: Props) {
  const known = options.some((option) => option.value === value)
  return (
    <Select name={name} value={value} onValueChange={onValue} defaultOpen={opened}>
      <SelectTrigger {...trigger} className={cn(icon && '[&>span]:sr-only [&>svg:last-child]:hidden', className)}>
        {icon}
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
