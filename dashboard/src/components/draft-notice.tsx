import { rich, t } from '@/lib/texts'
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
          {filledFrom ? rich('parts_filled_from', { item: <Typed>{filledFrom}</Typed> }) : t('parts_draft_kept')}{' '}
          <LinkButton onClick={onStartOver}>{t('parts_start_over')}</LinkButton>
        </p>
      )}
      {earlier && (
        <p>
          {rich('parts_earlier_draft', { item: <Typed>{earlier}</Typed> })}{' '}
          <LinkButton onClick={onGoBack}>{t('parts_go_back')}</LinkButton>
        </p>
      )}
    </Notice>
  )
}
