import { PostList } from '@/features/lists/PostList'
import { usePageTitle } from '@/hooks/usePageTitle'
import { t } from '@/lib/texts'
import { PageHeading } from '../PageHeading'
import { RequestsTabs } from '../PlaceTabs'
import { SignedIn } from '../SignedIn'

/** Several requests at once, from a text with a line for each. */
export default function PostListPage() {
  usePageTitle(t('pages_post_several_title'))
  return (
    <div className="mx-auto max-w-3xl">
      <RequestsTabs chosen="/lists/new" />
      <PageHeading title={t('pages_post_several')} line={t('pages_post_several_line')} />
      <SignedIn>{(user) => <PostList user={user} />}</SignedIn>
    </div>
  )
}
