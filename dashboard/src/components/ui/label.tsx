import { Label as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export function Label({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      data-slot="label"
      className={cn(
        'flex select-none items-center gap-2 font-medium text-sm peer-disabled:cursor-not-allowed peer-disabled:opacity-55 group-data-[disabled=true]:pointer-events-none group-data-[disabled=true]:opacity-55',
        className,
      )}
      {...props}
    />
  )
}
