import type { Order } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { t } from '@/lib/texts'

/** What its buyer can do about a request that asks one seller: wait, or withdraw it. */
export default function AskActions({ order }: { order: Order }) {
  const { open } = useDialogs()
  return (
    <div className="flex flex-1 flex-wrap items-center justify-between gap-2">
      <p className="min-w-0 flex-1 basis-48 text-muted-foreground text-sm">{t('listings_only_you')}</p>
      <Button
        variant="outline"
        className="pointer-coarse:h-11"
        aria-label={t('listings_withdraw_item', { item: order.itemName })}
        onClick={() => open({ name: 'delete', request: order.id })}
      >
        {t('listings_withdraw')}
      </Button>
    </div>
  )
}
