import { LinkButton } from '@/components/buttons'
import { SavedSearches } from '@/features/finding/SavedSearches'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { SellingPart } from '../SellingPart'

/** The user's saved searches, with a bell on or off; a visitor's are kept on this device. */
export default function SavedPage() {
  usePageTitle(t('common_saved_searches'))
  return (
    <SellingPart chosen="/selling/saved">
      <PageHeading title={t('common_saved_searches')} line={<Line />} />
      <SavedSearches />
    </SellingPart>
  )
}

function Line() {
  const { user, likely } = useMe()
  const { open } = useDialogs()
  if (!isOn('watches')) return user || likely ? t('pages_saved_line_plain') : t('pages_saved_line_browser')
  if (user || likely) return t('pages_saved_line')
  return (
    <>
      {t('pages_saved_line_browser')}{' '}
      <LinkButton className="touch" onClick={() => open({ name: 'sign-in' })}>
        {t('pages_saved_sign_in')}
      </LinkButton>
    </>
  )
}
