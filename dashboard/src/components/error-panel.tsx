import { CloudAlert } from 'lucide-react'
import { Button } from './ui/button'

type Props = { text: string; retryLabel?: string; onRetry: () => void; retrying?: boolean }

/** Shows what failed and a button to retry. */
export function ErrorPanel({ text, retryLabel = 'Try again', onRetry, retrying = false }: Props) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-4 px-6 py-12 text-center">
      <CloudAlert aria-hidden className="size-10 text-destructive" strokeWidth={1.5} />
      <p>{text}</p>
      <Button variant="outline" onClick={onRetry} disabled={retrying}>
        {retryLabel}
      </Button>
    </div>
  )
}
