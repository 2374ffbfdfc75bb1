import { WantedReport } from '@/features/wanted/WantedReport'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'

/** What sellers could bring. */
export default function WantedPage() {
  usePageTitle(t('common_wanted'))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title={t('common_wanted')} line={t('pages_wanted_line')} />
      <WantedReport />
    </div>
  )
}
