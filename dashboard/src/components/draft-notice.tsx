import { Button } from './ui/button'
import { Notice } from './ui/notice'

/** Tells the user that the form was filled from a draft, and offers to start over. */
export function DraftNotice({ shown, onStartOver }: { shown: boolean; onStartOver: () => void }) {
  if (!shown) return null
  return (
    <Notice tone="info">
      What you typed earlier is still here.{' '}
      <Button variant="link" size="inline" onClick={onStartOver}>
        Start over
      </Button>
    </Notice>
  )
}
