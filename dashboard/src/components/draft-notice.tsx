import { LinkButton } from './buttons'
import { Notice } from './notice'

type Props = {
  shown: boolean
  /** The request that the form was filled in from; null for what the user typed. */
  filledFrom?: string | null
  onStartOver: () => void
}

/** Tells the user that the form was filled from a draft or an earlier request, and offers to start over. */
export function DraftNotice({ shown, filledFrom, onStartOver }: Props) {
  if (!shown) return null
  return (
    <Notice tone="info">
      {filledFrom ? `Filled in from your request for ${filledFrom}.` : 'What you typed earlier is still here.'}{' '}
      <LinkButton onClick={onStartOver}>Start over</LinkButton>
    </Notice>
  )
}
