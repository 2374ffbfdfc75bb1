import { SavedBeside } from '@/features/finding/SavedBeside'
import { StockBeside } from '@/features/stock/StockBeside'
import { isOn } from '@/lib/site'

/** What the requests that the user can fill go by, beside them where there is room. */
export default function SellingBeside() {
  return (
    <aside className="grid gap-4">
      {isOn('stock') && <StockBeside />}
      <SavedBeside />
    </aside>
  )
}
