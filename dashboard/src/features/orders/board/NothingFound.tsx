import type { BrowseFilter } from '@/api/filter'
import EmptyState from '@/components/empty-state'
import { Button } from '@/components/ui/button'
import { cleared, countConditions } from '@/hooks/useBrowseFilter'
import { joinOr } from '@/lib/format'

type Props = { filter: BrowseFilter; onChange: (changes: Partial<BrowseFilter>) => void }

/** What a board without requests shows. */
export default function NothingFound({ filter, onChange }: Props) {
  const narrowed = filter.q || filter.for || countConditions(filter) > 0
  if (!narrowed && !filter.category)
    return <EmptyState drawing="stall" title="No requests yet" hint="The first one will appear here." />
  return (
    <EmptyState
      drawing="lantern"
      title={narrowed ? 'No requests match' : `No ${joinOr(filter.category ?? [])} requests yet`}
      hint={narrowed ? 'Try fewer words or filters.' : 'New requests will appear here.'}
      action={
        <Button variant="outline" onClick={() => onChange(cleared)}>
          Show all requests
        </Button>
      }
    />
  )
}
