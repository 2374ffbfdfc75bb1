import { CanFill } from '@/features/stock/CanFill'
import { MyStock } from '@/features/stock/MyStock'
import { usePageTitle } from '@/hooks/usePageTitle'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

/** What the user has, and the requests that they can fill with it and with their skills. */
export default function StockPage() {
  usePageTitle('My Stock')
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title="My Stock" line="What you have, and the requests that you can fill" />
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
