import type { SentOffer } from '@/api/types'

type State = { label: string; variant: 'accent' | 'own' | 'destructive' | 'default' }

const states: Record<SentOffer['state'], State> = {
  open: { label: 'Open', variant: 'accent' },
  accepted: { label: 'Accepted', variant: 'own' },
  declined: { label: 'Declined', variant: 'destructive' },
  withdrawn: { label: 'Withdrawn', variant: 'default' },
  lapsed: { label: 'Lapsed', variant: 'default' },
  replaced: { label: 'Replaced', variant: 'default' },
  removed: { label: 'Removed by a moderator', variant: 'destructive' },
}

/** Returns the label of a state, including states that only a newer server knows. */
export const stateOf = (state: SentOffer['state']): State =>
  Object.hasOwn(states, state) ? states[state] : { label: 'Ended', variant: 'default' }
