import { useQuery } from '@tanstack/react-query'
import { Bell, BellOff } from 'lucide-react'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { openCountQuery } from '@/api/searches'
import type { Saved } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useNear } from '@/hooks/useNear'
import { cn } from '@/lib/cn'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import type { Saving } from './useSaving'

/** How many requests fit now. It isn't known of one that goes by skills or a quantity: the board doesn't count by those. */
export function OpenCount({ search }: { search: Saved }) {
  const { place, near } = useNear<HTMLSpanElement>(-search.id)
  const counted = !search.forMe && search.minQuantity === 0 && search.items.length < 2 && !search.kind
  const { data } = useQuery({ ...openCountQuery(search), enabled: near && counted })
  return (
    <span ref={place} className="tabular shrink-0 whitespace-nowrap text-sm">
      {data && t('finding_open_now', { count: data.total })}
    </span>
  )
}

/** Turns the messages about new requests on or off. */
export function BellSwitch({ search, saving }: { search: Saved; saving: Saving }) {
  const [turning, setTurning] = useState<boolean>()
  const writes = useIdempotencyKey<boolean>()
  if (!saving.signedIn || !isOn('watches')) return null
  const on = turning ?? search.bell
  async function turn() {
    if (turning !== undefined) return
    setTurning(!on)
    try {
      await writes.once(!on, (to, key) => saving.ring(search, to, key))
    } catch (error) {
      showToast(messageFor(error, t('finding_change_failed')), 'error')
    }
    setTurning(undefined)
  }
  return (
    <Button
      variant="outline"
      role="switch"
      aria-checked={on}
      aria-label={t('finding_bell', { name: search.name })}
      title={on ? t('finding_bell_on') : t('finding_bell_off')}
      className={cn('size-9 p-0 max-sm:size-12 pointer-coarse:size-12', on && 'border-primary bg-accent text-primary')}
      onClick={turn}
    >
      {on ? <Bell /> : <BellOff className="text-muted-foreground" />}
    </Button>
  )
}
