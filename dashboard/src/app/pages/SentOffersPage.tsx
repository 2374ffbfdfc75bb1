import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { sentOffersQuery } from '@/api/offers'
import { PageLink } from '@/components/page-link'
import { SentOffers } from '@/features/offers/SentOffers'
import { useMe } from '@/hooks/useMe'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { visitorOffers } from '@/lib/visitorOffers'
import { ListPart } from '../ListPart'
import { PageHeading } from '../PageHeading'
import { SellingPart } from '../SellingPart'
import { SignedIn } from '../SignedIn'

const parts = [
  { part: 'open', label: t('common_open') },
  { part: 'accepted', label: t('common_accepted') },
  { part: 'past', label: t('pages_offers_past') },
] as const

/** The offers that the user has sent: open ones, those of which some was accepted, and the others. */
export default function SentOffersPage() {
  const { user } = useMe()
  const [params] = useSearchParams()
  const { part } = parts.find(({ part }) => part === params.get('show')) ?? parts[0]
  const { data } = useInfiniteQuery({ ...sentOffersQuery(part), enabled: user !== null })
  const counts = data?.pages[0]?.counts
  usePageTitle(t('common_my_offers'))
  return (
    <SellingPart chosen="/selling/offers">
      <PageHeading title={t('common_my_offers')} line={t('pages_my_offers_line')}>
        {user && (
          <nav aria-label={t('pages_my_offers')} className="flex rounded-md bg-muted p-1">
            {parts.map(({ part: one, label }) => (
              <ListPart
                key={one}
                to={one === 'open' ? '/selling/offers' : `/selling/offers?show=${one}`}
                chosen={one === part}
                label={label}
                count={counts?.[one]}
              />
            ))}
          </nav>
        )}
      </PageHeading>
      {visitorOffers().length > 0 && (
        // They stay with their private links, also of who has signed in since.
        <p className="mb-4 text-sm">
          <PageLink to="/offer" className="touch relative underline underline-offset-2 hover:text-primary">
            {t('app_device_offers')}
          </PageLink>
        </p>
      )}
      <SignedIn>{() => <SentOffers key={part} part={part} />}</SignedIn>
    </SellingPart>
  )
}
