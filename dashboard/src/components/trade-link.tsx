import { ArrowRight } from 'lucide-react'
import { t } from '@/lib/texts'
import { PageLink } from './page-link'

/** Leads to the page of one trade. */
export function TradeLink({ sale }: { sale: number }) {
  return (
    <PageLink
      to={`/trades/${sale}`}
      className="inline-flex items-center gap-1 text-muted-foreground text-sm underline underline-offset-2 hover:text-foreground pointer-coarse:min-h-11"
    >
      {t('handover_open_trade')} <ArrowRight aria-hidden className="size-3.5" />
    </PageLink>
  )
}
