import { PostedListView } from '@/features/lists/PostedListView'

/** A list of requests at its own URL, for sharing. */
export default function PostedListPage({ id }: { id: string }) {
  return (
    <div className="mx-auto max-w-3xl">
      <PostedListView id={Number(id)} />
    </div>
  )
}
