import type { BrowseFilter } from '@/api/filter'
import EmptyState from '@/components/empty-state'
import { Button } from '@/components/ui/button'
import { cleared, countConditions } from '@/hooks/useBrowseFilter'
import { joinOr } from '@/lib/format'
import { categoryName } from '@/lib/market'
import { t } from '@/lib/texts'

type Props = { filter: BrowseFilter; onChange: (changes: Partial<BrowseFilter>) => void }

/** What a board without requests shows. */
export default function NothingFound({ filter, onChange }: Props) {
  const narrowed = filter.q || filter.for || countConditions(filter) > 0
  if (!narrowed && !filter.category)
    return <EmptyState drawing="stall" title={t('orders_none_yet')} hint={t('orders_none_yet_hint')} />
  return (
    <EmptyState
      drawing="lantern"
      title={
        narrowed
          ? t('orders_none_match')
          : t('orders_none_of', { professions: joinOr((filter.category ?? []).map(categoryName)) })
      }
      hint={narrowed ? t('orders_none_match_hint') : t('orders_none_of_hint')}
      action={
        <Button variant="outline" onClick={() => onChange(cleared)}>
          {t('orders_show_all')}
        </Button>
      }
    />
  )
}
