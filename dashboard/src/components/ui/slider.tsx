import { Slider as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

/** A thumb for each value. They carry its name, because they are what has the focus. */
export function Slider({
  className,
  defaultValue,
  value,
  min = 0,
  max = 100,
  'aria-label': label,
  'aria-labelledby': labelledBy,
  ...props
}: ComponentProps<typeof Primitive.Root>) {
  const thumbs = (value ?? defaultValue ?? [min]).length
  return (
    <Primitive.Root
      data-slot="slider"
      defaultValue={defaultValue}
      value={value}
      min={min}
      max={max}
      className={cn(
        'relative flex w-full touch-none select-none items-center data-[orientation=vertical]:h-full data-[orientation=vertical]:min-h-44 data-[orientation=vertical]:w-auto data-[orientation=vertical]:flex-col data-[disabled]:opacity-55',
        className,
      )}
      {...props}
    >
      <Primitive.Track
        data-slot="slider-track"
        className="relative grow overflow-hidden rounded-full bg-muted data-[orientation=horizontal]:h-1.5 data-[orientation=vertical]:h-full data-[orientation=horizontal]:w-full data-[orientation=vertical]:w-1.5"
      >
        <Primitive.Range
          data-slot="slider-range"
          className="absolute bg-primary data-[orientation=horizontal]:h-full data-[orientation=vertical]:w-full"
        />
      </Primitive.Track>
      {Array.from({ length: thumbs }, (_, i) => (
        <Primitive.Thumb
          // biome-ignore lint/suspicious/noArrayIndexKey: a thumb is its place among the values
          key={i}
          data-slot="slider-thumb"
          aria-label={label}
          aria-labelledby={labelledBy}
          className="touch block size-4 shrink-0 rounded-full border border-primary bg-card shadow-card transition-colors hover:bg-accent disabled:pointer-events-none"
        />
      ))}
    </Primitive.Root>
  )
}
