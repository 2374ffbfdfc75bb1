import { CloudAlert } from 'lucide-react'
import { t } from '@/lib/texts'
import { Button } from './ui/button'

type Query = { isFetching?: boolean; refetch: () => unknown }
type Props = { text: string; query: Query; retryLabel?: string }

/** Shows what failed to load, and a button to load it again. */
export function ErrorPanel({ text, query, retryLabel = t('parts_try_again') }: Props) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-4 px-6 py-12 text-center">
      <CloudAlert aria-hidden className="size-10 text-destructive" strokeWidth={1.5} />
      <p>{text}</p>
      <Button variant="outline" onClick={() => void query.refetch()} disabled={query.isFetching}>
        {retryLabel}
      </Button>
    </div>
  )
}
