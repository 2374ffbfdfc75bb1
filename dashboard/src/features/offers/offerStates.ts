import type { SentOffer } from '@/api/types'
import type { Tone } from '@/components/tag'

type State = { label: string; tone: Tone }

const states: Record<SentOffer['state'], State> = {
  open: { label: 'Open', tone: 'accent' },
  accepted: { label: 'Accepted', tone: 'own' },
  declined: { label: 'Declined', tone: 'destructive' },
  withdrawn: { label: 'Withdrawn', tone: 'quiet' },
  lapsed: { label: 'Lapsed', tone: 'quiet' },
  replaced: { label: 'Replaced', tone: 'quiet' },
  removed: { label: 'Removed by a moderator', tone: 'destructive' },
}

/** Returns the label of a state, including states that only a newer server knows. */
export const stateOf = (state: SentOffer['state']): State =>
  Object.hasOwn(states, state) ? states[state] : { label: 'Ended', tone: 'quiet' }
