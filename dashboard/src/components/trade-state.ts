import {
  CalendarClock,
  CheckCheck,
  CircleOff,
  CircleSlash,
  Hourglass,
  type LucideIcon,
  Scale,
  Undo2,
} from 'lucide-react'
import type { TradeDetails } from '@/api/types'
import { t } from '@/lib/texts'
import type { Tone } from './tag'

/** How a trade stands for its reader: what it waits for, or how it ended. */
export type Standing =
  | 'agreed'
  | 'mine'
  | 'theirs'
  | 'met'
  | 'cancelled'
  | 'disputed'
  | 'unconfirmed'
  | 'undone'
  | 'accepted'

export function standingOf({ handover: h, undoneAt }: Pick<TradeDetails, 'handover' | 'undoneAt'>): Standing {
  if (undoneAt !== null) return 'undone'
  if (h === null) return 'accepted'
  if (h.state !== 'agreed') return h.state
  if (h.yourWord) return 'theirs'
  return h.theirWord || Date.parse(h.agreedBy) <= Date.now() ? 'mine' : 'agreed'
}

export const standings: Record<Standing, { label: string; tone: Tone; icon: LucideIcon }> = {
  agreed: { label: t('handover_state_agreed'), tone: 'outline', icon: CalendarClock },
  mine: { label: t('trades_state_mine'), tone: 'high', icon: Hourglass },
  theirs: { label: t('trades_state_theirs'), tone: 'outline', icon: Hourglass },
  met: { label: t('handover_state_met'), tone: 'accent', icon: CheckCheck },
  cancelled: { label: t('handover_state_cancelled'), tone: 'quiet', icon: CircleSlash },
  disputed: { label: t('handover_state_disputed'), tone: 'destructive', icon: Scale },
  unconfirmed: { label: t('handover_state_unconfirmed'), tone: 'quiet', icon: CircleOff },
  undone: { label: t('trades_state_undone'), tone: 'quiet', icon: Undo2 },
  accepted: { label: t('trades_state_accepted'), tone: 'accent', icon: CheckCheck },
}
