import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Handover } from '@/api/types'
import { useDialogs } from '@/hooks/useDialogs'
import { t } from '@/lib/texts'
import { Button } from './ui/button'

type Props = { order: number; quantity: number; children: ReactNode }

/** Opens the form of a new request, filled in like an earlier one, for a quantity. */
export function PostAgain({ order, quantity, children }: Props) {
  const { open } = useDialogs()
  return (
    <Button
      size="sm"
      variant="outline"
      className="justify-self-start text-foreground"
      onClick={async () => {
        // One that is gone can't be filled in: the form opens empty.
        await fillIn(order, quantity).catch(() => {})
        open({ name: 'post' })
      }}
    >
      <RotateCcw /> {children}
    </Button>
  )
}

/** Lets the buyer post again what was given back to a request that is fulfilled. */
export function PostMissing({ handover: { orderId, missing } }: { handover: Handover }) {
  if (missing === 0 || orderId === null) return null
  return (
    <PostAgain order={orderId} quantity={missing}>
      {t('handover_post_missing', { missing })}
    </PostAgain>
  )
}

async function fillIn(order: number, quantity: number) {
  const [{ fillDraft }, { fetchOrder }, { printCopper }] = await Promise.all([
    import('@/lib/filledDrafts'),
    import('@/api/orders'),
    import('@/lib/copper'),
  ])
  const {
    itemName,
    maxPricePerUnit,
    description,
    buyerContact,
    levelRequirement,
    ign,
    category,
    importance,
    signedInOnly,
    noPrograms,
  } = await fetchOrder(order)
  const values = {
    itemName,
    quantity: String(quantity),
    maxPricePerUnit: printCopper(BigInt(maxPricePerUnit)),
    description,
    buyerContact,
    levelRequirement: levelRequirement === null ? '' : String(levelRequirement),
    ign: ign ?? '',
    category,
    importance,
    signedInOnly: signedInOnly ? 'yes' : 'no',
    noPrograms: noPrograms ? 'yes' : 'no',
  }
  fillDraft('post', values, itemName)
}
