import { useSearchParams } from 'react-router'
import { LazyChoice } from '@/components/lazy-choice'
import { t } from '@/lib/texts'

const sorts = [
  { value: 'newest', label: t('lib_sort_newest') },
  { value: 'price', label: t('listings_cheapest') },
]

/** The order of what is for sale. It is the board's: the best price first is of a listing the lowest one. */
export default function SaleSort() {
  const [params, setParams] = useSearchParams()
  function choose(sort: string) {
    const next = new URLSearchParams(window.location.search)
    next.delete('sort')
    if (sort !== 'newest') next.set('sort', sort)
    setParams(next)
  }
  return (
    <LazyChoice
      aria-label={t('listings_sort')}
      // On a phone it stands where the sort of the requests does.
      className="shrink-0 text-sm max-sm:-order-1 sm:-my-px sm:h-8! sm:pointer-coarse:h-11!"
      options={sorts}
      value={(params.get('sort') ?? 'newest') === 'newest' ? 'newest' : 'price'}
      onValue={choose}
    />
  )
}
