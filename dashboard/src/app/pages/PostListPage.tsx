import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listQuery } from '@/api/lists'
import type { User } from '@/api/types'
import { Loading } from '@/components/loading'
import { PostList } from '@/features/lists/PostList'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { RequestsTabs } from '../PlaceTabs'
import { SignedIn } from '../SignedIn'

/** Several requests at once, from a text with a line for each. */
export default function PostListPage() {
  usePageTitle(t('pages_post_several_title'))
  const from = Number(useSearchParams()[0].get('from')) || 0
  return (
    <div className="mx-auto max-w-3xl">
      <RequestsTabs chosen="/lists/new" />
      <PageHeading title={t('pages_post_several')} line={t('pages_post_several_line')} />
      <SignedIn>{(user) => (from > 0 ? <PostAgain user={user} from={from} /> : <PostList user={user} />)}</SignedIn>
    </div>
  )
}

/** What is left of a posted list, to be planned. A list that can't be read is planned without its lines. */
function PostAgain({ user, from }: { user: User; from: number }) {
  const { data, isPending } = useQuery(listQuery(from))
  if (isPending) return <Loading label={t('lists_loading')} boxes={['h-16', 'h-72']} className="gap-4" />
  return <PostList key={data?.id} user={user} from={data?.userId === user.id ? data : undefined} />
}
