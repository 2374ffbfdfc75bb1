import { CanFill } from '@/features/stock/CanFill'
import { MyStock } from '@/features/stock/MyStock'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { SellingTabs } from '../SellingTabs'
import { SignedIn } from '../SignedIn'

/** The requests that the user can fill with their stock and skills. */
export function ForMePage() {
  usePageTitle(t('common_selling'))
  return (
    <div className="mx-auto max-w-3xl">
      <SellingTabs chosen="/selling" />
      <PageHeading title={t('pages_for_me_title')} line={t('pages_for_me_line')} />
      <SignedIn>{() => <CanFill />}</SignedIn>
    </div>
  )
}

/** The sections for the user's own things. */
export function StockPage() {
  usePageTitle(t('common_my_stock'))
  return (
    <div className="mx-auto max-w-3xl">
      <SellingTabs chosen="/selling/stock" />
      <PageHeading title={t('common_my_stock')} line={t('pages_stock_line')} />
      <SignedIn>{() => <MyStock />}</SignedIn>
    </div>
  )
}
