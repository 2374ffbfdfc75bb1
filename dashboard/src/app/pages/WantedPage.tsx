import { WantedReport } from '@/features/wanted/WantedReport'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { ItemsTabs } from '../PlaceTabs'

/** What sellers could bring. */
export default function WantedPage() {
  usePageTitle(t('common_wanted'))
  return (
    <div className="mx-auto max-w-4xl">
      <ItemsTabs chosen="/items/wanted" />
      <PageHeading title={t('common_wanted')} line={t('pages_wanted_line')} />
      <WantedReport />
    </div>
  )
}
