import { Handshake } from 'lucide-react'
import { t } from '@/lib/texts'
import { PageLink } from './page-link'

/** Leads to the page of one trade. */
export function TradeLink({ sale }: { sale: number }) {
  return (
    <PageLink
      to={`/trades/${sale}`}
      className="inline-flex items-center gap-1.5 text-muted-foreground text-sm underline underline-offset-2 hover:text-foreground pointer-coarse:min-h-11"
    >
      <Handshake aria-hidden className="size-4" /> {t('handover_open_trade')}
    </PageLink>
  )
}
