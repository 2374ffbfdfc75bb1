import { LinkButton } from './buttons'
import { Notice } from './notice'
import { Typed } from './typed'

type Props = {
  shown: boolean
  /** The request that the form was filled in from; null for what the user typed. */
  filledFrom?: string | null
  onStartOver: () => void
  /** What the user typed before it was filled in, and returning to that. */
  earlier?: string | null
  onGoBack?: () => void
}

/** Tells the user that the form was filled from a draft or an earlier request, and offers to start over. */
export function DraftNotice({ shown, filledFrom, onStartOver, earlier, onGoBack }: Props) {
  if (!earlier && (!shown || filledFrom === '')) return null
  return (
    <Notice tone="info">
      {shown && filledFrom !== '' && (
        <p>
          {filledFrom ? (
            <>
              Filled in from your request for <Typed>{filledFrom}</Typed>.
            </>
          ) : (
            'What you typed earlier is still here.'
          )}{' '}
          <LinkButton onClick={onStartOver}>Start over</LinkButton>
        </p>
      )}
      {earlier && (
        <p>
          You have an unsent request for <Typed>{earlier}</Typed>.{' '}
          <LinkButton onClick={onGoBack}>Go back to it</LinkButton>
        </p>
      )}
    </Notice>
  )
}
