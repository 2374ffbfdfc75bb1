import { RotateCcw } from 'lucide-react'
import type { Handover } from '@/api/types'
import { useDialogs } from '@/hooks/useDialogs'
import { t } from '@/lib/texts'
import { Button } from './ui/button'

/** Lets the buyer post again what was given back to a request that is fulfilled. */
export function PostMissing({ handover }: { handover: Handover }) {
  const { open } = useDialogs()
  if (handover.missing === 0 || handover.orderId === null) return null
  return (
    <Button
      size="sm"
      variant="outline"
      className="justify-self-start"
      onClick={async () => {
        // One that is gone can't be filled in: the form opens empty.
        await fillIn(handover).catch(() => {})
        open({ name: 'post' })
      }}
    >
      <RotateCcw /> {t('handover_post_missing', { missing: handover.missing })}
    </Button>
  )
}

/** Fills the form of a new request in like the one that was fulfilled, for what is missing. */
async function fillIn({ orderId, missing }: Handover) {
  if (orderId === null) return
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
  } = await fetchOrder(orderId)
  const values = {
    itemName,
    quantity: String(missing),
    maxPricePerUnit: printCopper(BigInt(maxPricePerUnit)),
    description,
    buyerContact,
    levelRequirement: levelRequirement === null ? '' : String(levelRequirement),
    ign: ign ?? '',
    category,
    importance,
    signedInOnly: signedInOnly ? 'yes' : 'no',
  }
  fillDraft('post', values, itemName)
}
