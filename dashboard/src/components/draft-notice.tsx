import { Button } from './ui/button'
import { Notice } from './ui/notice'

/** Says that the form was filled with what was typed earlier, and offers an empty one. */
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
