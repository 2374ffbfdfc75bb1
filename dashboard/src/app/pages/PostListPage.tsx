import { PostList } from '@/features/lists/PostList'
import { usePageTitle } from '@/hooks/usePageTitle'
import { PageHeading } from '../PageHeading'
import { SignedIn } from '../SignedIn'

/** Several requests at once, from a text with a line for each. */
export default function PostListPage() {
  usePageTitle('Post several requests')
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeading title="Post Several Requests" line="Paste a list with a request in each line." />
      <SignedIn>{(user) => <PostList user={user} />}</SignedIn>
    </div>
  )
}
