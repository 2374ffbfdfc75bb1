import { cn } from '@/lib/cn'
import { formatNumber } from '@/lib/format'

type Props = { className?: string; offer: { quantityOffered: number; quantityAccepted: number } }

/** What the user has already offered on a request. */
export function YouOffered({ offer, className }: Props) {
  return (
    <p className={cn('tabular text-sm', className)}>
      You offered <strong className="font-semibold">{formatNumber(offer.quantityOffered)}</strong>
      {offer.quantityAccepted > 0 && (
        <span className="text-muted-foreground">, {formatNumber(offer.quantityAccepted)} accepted</span>
      )}
    </p>
  )
}
