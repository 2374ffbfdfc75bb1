import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BrowseFilter, ListFilter, Sort } from '@/api/filter'
import { totalQuery } from '@/api/orders'
import type { OrderPage } from '@/api/types'
import Choice from '@/components/choice'
import { Field } from '@/components/labelled-field'
import { DrawerBody, DrawerButtons, PageDrawer } from '@/components/page-drawer'
import { Button } from '@/components/ui/button'
import { fillSorts, sorts } from '@/hooks/useBrowseFilter'
import { t } from '@/lib/texts'
import FilterFields from './FilterFields'

type Props = {
  open: boolean
  filter: BrowseFilter
  /** What the list is asked for. */
  shown: ListFilter
  onApply: (filter: BrowseFilter) => void
  onClose: () => void
}

/** The filters on a phone: a bottom sheet that shows the number of results. Back discards changes. */
export default function FilterSheet({ open, onClose, ...props }: Props) {
  return (
    <PageDrawer open={open} onClose={onClose} title={t('orders_sort_and_filter')}>
      <Choices {...props} />
    </PageDrawer>
  )
}

function Choices({ filter, shown: { skill, fill }, onApply }: Pick<Props, 'filter' | 'shown' | 'onApply'>) {
  const [chosen, setChosen] = useState(filter)
  const { data: page } = useQuery(totalQuery({ ...chosen, skill, fill }))
  const options = fill ? fillSorts : sorts
  const usual = options[0]?.value
  const change = (changes: Partial<BrowseFilter>) => setChosen((now) => ({ ...now, ...changes }))
  return (
    <>
      <DrawerBody className="grid gap-5">
        <Field label={t('orders_sort')}>
          {(field) => (
            <Choice
              {...field}
              className="w-full"
              options={options}
              value={chosen.sort ?? usual}
              onValue={(sort) => change({ sort: sort === usual ? undefined : (sort as Sort) })}
            />
          )}
        </Field>
        <FilterFields filter={chosen} onChange={change} />
      </DrawerBody>
      <DrawerButtons>
        <Button size="lg" onClick={() => onApply(chosen)}>
          {page ? countIn(page) : t('orders_show_requests')}
        </Button>
      </DrawerButtons>
    </>
  )
}

const countIn = ({ total, totalIsExact = true }: OrderPage) =>
  totalIsExact ? t('orders_show_count', { count: total }) : t('orders_show_count_at_least', { count: total })
