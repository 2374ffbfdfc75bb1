import type { ComponentProps } from 'react'
import { clampText } from '@/lib/clamp'
import { Input } from './ui/input'

type Props = Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'min' | 'max' | 'type'> & {
  /** As typed: empty while the reader is at it. */
  value: string
  onValue: (value: string) => void
  min: number
  max: number
}

/** A whole number kept within its bounds: too much is cut at once, too little when the field is left. */
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
