import { Suspense } from 'react'
import { CanFill } from '@/features/stock/CanFill'
import { MyStock } from '@/features/stock/MyStock'
import { useMe } from '@/hooks/useMe'
import { useMediaQuery } from '@/hooks/useMediaQuery'
import { usePageTitle } from '@/hooks/usePageTitle'
import { lazy } from '@/lib/loaded'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { SellingPart } from '../SellingPart'
import { SignedIn } from '../SignedIn'

const SellingBeside = lazy(() => import('./SellingBeside'))
const Asks = lazy(() => import('@/features/listings/Asks'))

/** The requests that the user can fill with their stock and skills. */
export function ForMePage() {
  usePageTitle(t('common_selling'))
  const { user } = useMe()
  const wide = useMediaQuery('(min-width: 80rem)')
  return (
    <SellingPart
      chosen="/selling"
      beside={
        wide &&
        user && (
          <Suspense fallback={<i data-loading hidden />}>
            <SellingBeside />
          </Suspense>
        )
      }
    >
      <PageHeading title={t('pages_for_me_title')} line={t('pages_for_me_line')} />
      <SignedIn>{() => <CanFill />}</SignedIn>
    </SellingPart>
  )
}

/** The sections for the user's own things. */
export function StockPage() {
  usePageTitle(t('common_my_stock'))
  return (
    <SellingPart chosen="/selling/stock">
      <PageHeading title={t('common_my_stock')} line={t('pages_stock_line')} />
      <SignedIn>
        {() => (
          <>
            {isOn('listings') && (
              <Suspense fallback={<i data-loading hidden />}>
                <Asks />
              </Suspense>
            )}
            <MyStock />
          </>
        )}
      </SignedIn>
    </SellingPart>
  )
}
