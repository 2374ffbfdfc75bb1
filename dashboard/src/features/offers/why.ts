import type { ReceivedOffer } from '@/api/types'
import { t } from '@/lib/texts'

const reasons: Record<ReceivedOffer['why'][number], (met: number) => string> = {
  missed: () => t('offers_why_missed'),
  met: (count) => t('offers_why_met', { count }),
  all: () => t('offers_why_all'),
  reliable: () => t('offers_why_reliable'),
  cheaper: () => t('offers_why_cheaper'),
  earliest: () => t('offers_why_earliest'),
}

/** Why an offer stands where it does: the two strongest reasons, and who is likely met soonest. An older server says none. */
export function whyInWords({ why, met, soonest }: Partial<Pick<ReceivedOffer, 'why' | 'met' | 'soonest'>>): string {
  const words = (why ?? []).slice(0, 2).map((reason) => reasons[reason](met ?? 0))
  return (soonest ? [...words, t('offers_why_soonest')] : words).join(' · ')
}
