import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { Button } from './ui/button'

// The market's own kinds of button.

type Props = Omit<ComponentProps<typeof Button>, 'variant'>

/** For an action that many rows or cards repeat: one solid button in each would be too loud. */
export function SoftButton({ className, outlined = false, ...props }: Props & { outlined?: boolean }) {
  if (outlined) return <Button variant="outline" className={className} {...props} />
  return (
    <Button
      variant="secondary"
      className={cn('bg-accent text-accent-foreground hover:bg-primary hover:text-primary-foreground', className)}
      {...props}
    />
  )
}

/** Destroys, but is not what one came for. */
export function QuietDestructiveButton({ className, ...props }: Props) {
  return (
    <Button
      variant="ghost"
      className={cn('text-destructive hover:bg-destructive-soft hover:text-destructive', className)}
      {...props}
    />
  )
}

/** A button within a line of text. */
export function LinkButton({ className, ...props }: Omit<Props, 'size'>) {
  return <Button variant="link" className={cn('h-auto p-0', className)} {...props} />
}
