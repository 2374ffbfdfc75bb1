import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { DropdownMenuContent } from './ui/dropdown-menu'

/** A menu of the page. It is within the main landmark, for assistive technology. */
export function PageMenuContent({ className, ...props }: ComponentProps<typeof DropdownMenuContent>) {
  return (
    <DropdownMenuContent
      align="end"
      container={document.getElementById('content')}
      className={cn('min-w-52', className)}
      {...props}
    />
  )
}
