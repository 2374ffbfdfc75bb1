import { WantedReport } from '@/features/wanted/WantedReport'
import { usePageTitle } from '@/hooks/usePageTitle'
import { PageHeading } from '../PageHeading'

/** What sellers could bring. */
export default function WantedPage() {
  usePageTitle('Wanted')
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title="Wanted" line="What buyers ask for without offers yet, this week" />
      <WantedReport />
    </div>
  )
}
