import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { rich } from '@/lib/texts'

type Props = { className?: string; offer: { quantityOffered: number; quantityAccepted: number } }

/** What the user has already offered on a request. */
export function YouOffered({ offer, className }: Props) {
  const { quantityOffered: quantity, quantityAccepted: accepted } = offer
  const b = (text: ReactNode) => <strong className="font-semibold">{text}</strong>
  const more = (text: ReactNode) => <span className="text-muted-foreground">{text}</span>
  return (
    <p className={cn('tabular text-sm', className)}>
      {accepted > 0
        ? rich('offers_you_offered_some', { quantity, accepted, b, more })
        : rich('offers_you_offered', { quantity, b })}
    </p>
  )
}
