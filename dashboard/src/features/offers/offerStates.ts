import type { SentOffer } from '@/api/types'
import type { Tone } from '@/components/tag'
import { t } from '@/lib/texts'

type State = { label: string; tone: Tone }

const states: Record<SentOffer['state'], State> = {
  open: { label: t('common_open'), tone: 'accent' },
  accepted: { label: t('common_accepted'), tone: 'own' },
  declined: { label: t('offers_state_declined'), tone: 'destructive' },
  withdrawn: { label: t('offers_state_withdrawn'), tone: 'quiet' },
  lapsed: { label: t('offers_state_lapsed'), tone: 'quiet' },
  replaced: { label: t('offers_state_replaced'), tone: 'quiet' },
  removed: { label: t('offers_state_removed'), tone: 'destructive' },
}

/** Returns the label of a state, including states that only a newer server knows. */
export const stateOf = (state: SentOffer['state']): State =>
  Object.hasOwn(states, state) ? states[state] : { label: t('offers_state_ended'), tone: 'quiet' }

/** Returns the label of an offer of which some was accepted, and the rest is in a state. */
export const partlyAcceptedIn = (state: SentOffer['state']): string =>
  state === 'open' ? t('offers_partly_accepted') : t('offers_partly_accepted_and', { state })
