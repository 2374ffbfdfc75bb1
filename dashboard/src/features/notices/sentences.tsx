import {
  Ban,
  Bell,
  CircleCheckBig,
  CircleX,
  Hourglass,
  Inbox,
  type LucideIcon,
  MailWarning,
  PartyPopper,
  ShieldX,
  Undo2,
  Wind,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Notice, NoticeKind } from '@/api/types'
import { Amount } from '@/components/coins'
import { formatNumber } from '@/lib/format'

type Wording = {
  icon: LucideIcon
  /** What the settings call it. */
  label: string
  say: (notice: Notice) => ReactNode
}

const item = (n: Notice) => <strong className="font-semibold">{n.itemName}</strong>
const items = (n: Notice) => (
  <>
    {formatNumber(n.quantity)} {item(n)}
  </>
)
const somebody = (n: Notice, otherwise: string) => n.counterpart.name || n.counterpart.contact || otherwise

export const wordings: Record<NoticeKind, Wording> = {
  offer_received: {
    icon: Inbox,
    label: 'Somebody offers on your request',
    say: (n) => (
      <>
        {somebody(n, 'Somebody')} offers {items(n)} at <Amount value={n.pricePerUnit} /> each
      </>
    ),
  },
  offer_accepted: {
    icon: CircleCheckBig,
    label: 'Your offer is accepted',
    say: (n) => (
      <>
        {somebody(n, 'The buyer')} took {items(n)} of your offer
      </>
    ),
  },
  offer_declined: {
    icon: CircleX,
    label: 'Your offer is declined',
    say: (n) => <>Your offer on {item(n)} was declined</>,
  },
  offer_withdrawn: {
    icon: Undo2,
    label: 'An offer on your request is withdrawn',
    say: (n) => (
      <>
        {somebody(n, 'A seller')} withdrew the offer on {item(n)}
      </>
    ),
  },
  offer_lapsed: { icon: Wind, label: 'Your offer lapses', say: (n) => <>Your offer on {item(n)} lapsed</> },
  order_filled: {
    icon: PartyPopper,
    label: 'Your request is filled',
    say: (n) => <>Your request for {items(n)} is filled</>,
  },
  order_expiring: {
    icon: Hourglass,
    label: 'Your request is about to expire',
    say: (n) => (
      <>
        Your request for {item(n)} expires within seven days; {formatNumber(n.quantity)} are left
      </>
    ),
  },
  order_removed: {
    icon: ShieldX,
    label: 'A moderator removes your request',
    say: (n) => <>A moderator removed your request for {items(n)}</>,
  },
  offer_removed: {
    icon: ShieldX,
    label: 'A moderator removes your offer',
    say: (n) => <>A moderator removed your offer of {items(n)}</>,
  },
  user_blocked: {
    icon: Ban,
    label: 'A moderator blocks you',
    say: () => 'A moderator blocked you from trading here',
  },
  dm_failed: {
    icon: MailWarning,
    label: 'A direct message could not be delivered',
    say: (n) => <>A direct message{n.itemName && <> about {item(n)}</>} could not be delivered</>,
  },
  test: { icon: Bell, label: 'Test notice', say: () => 'This is the test notice you asked for' },
}
