import { ChevronDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'

const Choice = lazy(() => import('@/components/choice'))

const sorts = [
  { value: 'newest', label: t('lib_sort_newest') },
  { value: 'price', label: t('listings_cheapest') },
]

// On a phone it stands where the sort of the requests does.
const shape = 'shrink-0 text-sm max-sm:-order-1 sm:-my-px sm:h-8! sm:pointer-coarse:h-11!'

/** The order of what is for sale. It is the board's: the best price first is of a listing the lowest one. */
export default function SaleSort() {
  const [params, setParams] = useSearchParams()
  const [used, setUsed] = useState(false) // what opens the list is loaded by then
  const sort = (params.get('sort') ?? 'newest') === 'newest' ? 'newest' : 'price'
  function choose(sort: string) {
    const next = new URLSearchParams(window.location.search)
    next.delete('sort')
    if (sort !== 'newest') next.set('sort', sort)
    setParams(next)
  }
  const face = (
    <button
      type="button"
      role="combobox"
      aria-label={t('listings_sort')}
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-controls="content"
      onClick={() => setUsed(true)}
      onKeyDown={(event) => event.key.startsWith('Arrow') && setUsed(true)}
      className={`flex h-10 items-center justify-between gap-2 whitespace-nowrap rounded-md border border-input bg-card px-3 transition-colors hover:border-foreground/50 pointer-coarse:h-11 ${shape}`}
    >
      {sorts.find(({ value }) => value === sort)?.label}
      <ChevronDown aria-hidden className="size-4 text-muted-foreground" />
    </button>
  )
  if (!used) return face
  return (
    <Suspense fallback={face}>
      <Choice aria-label={t('listings_sort')} className={shape} options={sorts} value={sort} onValue={choose} opened />
    </Suspense>
  )
}
