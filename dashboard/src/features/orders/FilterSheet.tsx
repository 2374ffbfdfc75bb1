import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BrowseFilter, countsQuery } from '@/api/orders'
import { Field } from '@/components/labelled-field'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { countOf } from '@/lib/format'
import FilterFields from './FilterFields'
import { SortSelect } from './SortSelect'

type Props = {
  open: boolean
  filter: BrowseFilter
  /** The skills that the list goes by, as it is asked for them. */
  skill: string[] | undefined
  onApply: (filter: BrowseFilter) => void
  onClose: () => void
}

/** The filters on a phone: a bottom sheet that shows the number of results. Back discards changes. */
export default function FilterSheet({ open, onClose, ...props }: Props) {
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title="Sort and filter">
        <Choices {...props} />
      </DialogContent>
    </Dialog>
  )
}

function Choices({ filter, skill, onApply }: Pick<Props, 'filter' | 'skill' | 'onApply'>) {
  const [chosen, setChosen] = useState(filter)
  const { data: counts } = useQuery(countsQuery({ ...chosen, skill }))
  const total = chosen.category
    ? chosen.category.reduce((sum, category) => sum + (counts?.categories[category] ?? 0), 0)
    : counts?.all
  const change = (changes: Partial<BrowseFilter>) => setChosen((now) => ({ ...now, ...changes }))
  return (
    <>
      <DialogBody className="grid gap-5">
        <Field label="Sort">
          {(field) => <SortSelect {...field} sort={chosen.sort} onSort={(sort) => change({ sort })} />}
        </Field>
        <FilterFields filter={chosen} onChange={change} />
      </DialogBody>
      <DialogFooter>
        <Button size="lg" onClick={() => onApply(chosen)}>
          {counts === undefined || total === undefined ? 'Show requests' : `Show ${countOf(total, 'request')}`}
        </Button>
      </DialogFooter>
    </>
  )
}
