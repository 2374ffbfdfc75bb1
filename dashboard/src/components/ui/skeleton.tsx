import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="skeleton"
      data-loading
      className={cn('animate-shimmer rounded-sm bg-muted', className)}
      {...props}
    />
  )
}
