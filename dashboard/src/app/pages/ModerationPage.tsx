import { type ComponentType, lazy, Suspense, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { AuditLog } from '@/features/moderation/AuditLog'
import { BlockedUsers } from '@/features/moderation/BlockedUsers'
import { NewNames } from '@/features/moderation/NewNames'
import { Reports } from '@/features/moderation/Reports'
import { Rings } from '@/features/moderation/Rings'
import { VisitorOffers } from '@/features/moderation/VisitorOffers'
import { usePageTitle } from '@/hooks/usePageTitle'
import { useScrollChosenIntoView } from '@/hooks/useScrollChosenIntoView'
import { cn } from '@/lib/cn'
import { isOn } from '@/lib/site'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

const EmptyState = lazy(() => import('@/components/empty-state'))

const Disputes = lazy(() => import('@/features/moderation/Disputes'))
const Reach = lazy(() => import('@/features/moderation/Reach'))
const YoungMarket = lazy(() => import('@/features/moderation/YoungMarket'))

type Part = { show: string; label: string; page: ComponentType; of?: Parameters<typeof isOn>[0] }

const first: Part = { show: '', label: 'Reports', page: Reports }

const parts: Part[] = [
  first,
  { show: 'disputes', label: 'Disputes', page: Disputes, of: 'handover' },
  { show: 'blocked', label: 'Blocked', page: BlockedUsers },
  { show: 'names', label: 'New names', page: NewNames, of: 'items' },
  { show: 'vouch', label: 'Vouch', page: YoungMarket },
  { show: 'rings', label: 'Set aside', page: Rings, of: 'prices' },
  { show: 'reach', label: 'Reach', page: Reach },
  { show: 'log', label: 'Log', page: AuditLog },
]

/** The moderators' page: reports, blocked users and the audit log. */
export default function ModerationPage() {
  const [params] = useSearchParams()
  const shown = parts.filter(({ of }) => !of || isOn(of))
  const chosen = shown.find((part) => part.show === params.get('show')) ?? first
  usePageTitle('Moderation')
  return (
    <div className="mx-auto max-w-3xl">
      <SignedIn>
        {(user) =>
          user.moderator ? (
            <>
              <PageHeading
                title="Moderation"
                line={
                  isOn('items')
                    ? 'Reports, blocked users, new names and past actions'
                    : 'Reports, blocked users and past actions'
                }
              >
                <Parts shown={shown} chosen={chosen} />
              </PageHeading>
              <VisitorOffers />
              <Suspense fallback={<div className="min-h-80" />}>
                <chosen.page />
              </Suspense>
            </>
          ) : (
            <Suspense fallback={<div className="min-h-80" />}>
              <EmptyState
                heading="h1"
                drawing="signpost"
                title="For moderators only"
                hint="Ask the operator of this market if you should have access."
              />
            </Suspense>
          )
        }
      </SignedIn>
    </div>
  )
}

function Parts({ shown, chosen }: { shown: Part[]; chosen: Part }) {
  const row = useRef<HTMLElement>(null)
  useScrollChosenIntoView(row, '[aria-current]', chosen.show)
  return (
    <nav ref={row} aria-label="Moderation" className="flex max-w-full overflow-x-auto rounded-md bg-muted p-1">
      {shown.map(({ show, label }) => (
        <Link
          key={label}
          to={show ? `/moderation?show=${show}` : '/moderation'}
          aria-current={show === chosen.show ? 'page' : undefined}
          className={cn(
            'touch inline-flex h-8 shrink-0 items-center rounded-sm px-3 text-sm transition-colors',
            show === chosen.show
              ? 'bg-card font-medium shadow-card dark:bg-accent dark:text-accent-foreground'
              : 'text-muted-foreground hover:text-foreground',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
