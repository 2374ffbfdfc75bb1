import { CanFill } from '@/features/stock/CanFill'
import { MyStock } from '@/features/stock/MyStock'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

/** What the user has, and the requests that they can fill with it and with their skills. */
export default function StockPage() {
  usePageTitle(t('common_my_stock'))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title={t('common_my_stock')} line={t('pages_stock_line')} />
      <SignedIn>
        {() => (
          <div className="grid gap-8">
            <MyStock />
            <CanFill />
          </div>
        )}
      </SignedIn>
    </div>
  )
}
