import type { ComponentProps } from 'react'
import { clampText } from '@/lib/clamp'
import { Input } from './ui/input'

type Props = Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'min' | 'max' | 'type'> & {
  /** As typed; may be empty meanwhile. */
  value: string
  onValue: (value: string) => void
  min: number
  max: number
}

/** A whole number within bounds: too large a value is clamped while typing, too small a one on blur. */
export function QuantityInput({ value, onValue, min, max, onBlur, ...props }: Props) {
  return (
    <Input
      type="number"
      inputMode="numeric"
      step={1}
      min={min}
      max={max}
      value={value}
      onChange={(event) => onValue(clampText(event.target.value, 0, max))}
      onBlur={(event) => {
        onValue(clampText(event.target.value || String(min), min, max))
        onBlur?.(event)
      }}
      {...props}
    />
  )
}
