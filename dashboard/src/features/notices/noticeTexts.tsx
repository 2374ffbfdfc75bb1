import {
  Ban,
  Bell,
  BellRing,
  CircleCheckBig,
  CircleX,
  Flag,
  Handshake,
  Hourglass,
  Inbox,
  type LucideIcon,
  MailWarning,
  PartyPopper,
  RotateCcw,
  Scale,
  ShieldAlert,
  ShieldX,
  Undo2,
  VenetianMask,
  Wind,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Notice, NoticeKind } from '@/api/types'
import { Amount } from '@/components/coins'
import { Typed } from '@/components/typed'
import { formatNumber } from '@/lib/format'

type Wording = {
  icon: LucideIcon
  /** The label in the settings. */
  label: string
  text: (notice: Notice) => ReactNode
}

const item = (n: Notice) => (
  <strong dir="auto" className="font-semibold">
    {n.itemName}
  </strong>
)
const items = (n: Notice) => (
  <>
    {formatNumber(n.quantity)} {item(n)}
  </>
)
const nameOf = (n: Notice, fallback: string) => <Typed>{n.counterpart.name || n.counterpart.contact || fallback}</Typed>

const wordings: Record<NoticeKind, Wording> = {
  offer_received: {
    icon: Inbox,
    label: 'A seller makes an offer on your request',
    text: (n) => (
      <>
        {nameOf(n, 'A seller')} offers {items(n)} at <Amount value={n.pricePerUnit} /> each
      </>
    ),
  },
  offer_accepted: {
    icon: CircleCheckBig,
    label: 'Your offer is accepted',
    text: (n) => (
      <>
        {nameOf(n, 'The buyer')} accepted {items(n)} from your offer
      </>
    ),
  },
  offer_declined: {
    icon: CircleX,
    label: 'Your offer is declined',
    text: (n) => <>Your offer on {item(n)} was declined</>,
  },
  offer_withdrawn: {
    icon: Undo2,
    label: 'An offer on your request is withdrawn',
    text: (n) => (
      <>
        {nameOf(n, 'A seller')} withdrew the offer on {item(n)}
      </>
    ),
  },
  offer_lapsed: { icon: Wind, label: 'Your offer lapses', text: (n) => <>Your offer on {item(n)} lapsed</> },
  order_filled: {
    icon: PartyPopper,
    label: 'Your request is filled',
    text: (n) => <>Your request for {items(n)} is filled</>,
  },
  order_expiring: {
    icon: Hourglass,
    label: 'Your request is about to expire',
    text: (n) => (
      <>
        Your request for {item(n)} expires within seven days, with {formatNumber(n.quantity)} left
      </>
    ),
  },
  stock_stale: {
    icon: Hourglass,
    label: 'Your stock was not touched for two weeks',
    text: (n) => <>Is it still there? Two weeks ago you had {items(n)}</>,
  },
  order_removed: {
    icon: ShieldX,
    label: 'A moderator removes your request',
    text: (n) => <>A moderator removed your request for {items(n)}</>,
  },
  offer_removed: {
    icon: ShieldX,
    label: 'A moderator removes your offer',
    text: (n) => <>A moderator removed your offer of {items(n)}</>,
  },
  order_restored: {
    icon: RotateCcw,
    label: 'A moderator restores your request',
    text: (n) => <>A moderator restored your request for {items(n)}, without the offers on it</>,
  },
  offer_restored: {
    icon: RotateCcw,
    label: 'A moderator restores your offer',
    text: (n) => <>A moderator restored your offer of {items(n)}</>,
  },
  offer_reopened: {
    icon: RotateCcw,
    label: 'An offer is open again',
    text: (n) => <>The offer of {items(n)} is open again: what ended it was undone</>,
  },
  user_blocked: {
    icon: Ban,
    label: 'A moderator blocks you',
    text: () => "You're blocked from trading here",
  },
  many_removals: {
    icon: ShieldAlert,
    label: 'Another moderator removes many posts at once',
    text: (n) => (
      <>
        {nameOf(n, 'A moderator')} removed {formatNumber(n.quantity)} requests and offers within a minute
      </>
    ),
  },
  report_received: {
    icon: Flag,
    label: 'Somebody reports a request or an offer',
    text: (n) => <>{item(n)} was reported</>,
  },
  report_channel_ended: {
    icon: Flag,
    label: 'New reports stop arriving in Discord',
    text: () => 'New reports no longer arrive in their Discord channel',
  },
  board_ended: {
    icon: Flag,
    label: 'A board of yours in Discord ends',
    text: () => 'A board of yours in Discord ended with its channel or server',
  },
  look_alike: {
    icon: VenetianMask,
    label: 'Somebody uses a name that looks like yours',
    text: (n) => (
      <>
        Somebody uses a name that looks like yours {n.offerId === null ? 'on a request for' : 'in an offer of'}{' '}
        {item(n)}
        {n.counterpart.name && (
          <>
            : <Typed>{n.counterpart.name}</Typed>
          </>
        )}
        .{' '}
        {n.offerId === null
          ? 'Others see a mark beside it. You can report the request.'
          : 'The buyer sees a mark beside it.'}
      </>
    ),
  },
  request_watched: {
    icon: BellRing,
    label: 'A request fits your watches or your stock',
    text: (n) => (
      <>
        {n.watchId === null ? 'Wanted, and you have it' : 'Wanted'}: {items(n)}, at up to{' '}
        <Amount value={n.pricePerUnit} /> each
      </>
    ),
  },
  offer_timed_out: {
    icon: Wind,
    label: 'An offer on your request lapses',
    text: (n) => (
      <>
        The offer of {nameOf(n, 'a seller')} on {item(n)} lapsed
      </>
    ),
  },
  standing_accepted: {
    icon: CircleCheckBig,
    label: 'An offer is accepted for you, as you set it on your request',
    text: (n) => (
      <>
        Accepted for you: {items(n)} of {nameOf(n, 'a seller')} at <Amount value={n.pricePerUnit} /> each
      </>
    ),
  },
  handover_prompt: {
    icon: Handshake,
    label: 'Somebody wants to know whether you met',
    text: (n) => (
      <>
        Did you meet {nameOf(n, 'the other side')} for {items(n)}?
      </>
    ),
  },
  handover_cancelled: {
    icon: Undo2,
    label: 'A trade does not happen',
    text: (n) => (
      <>
        Your trade of {items(n)} with {nameOf(n, 'the other side')} did not happen
      </>
    ),
  },
  handover_disputed: {
    icon: Scale,
    label: 'The other side contradicts you',
    text: (n) => (
      <>
        {nameOf(n, 'The other side')} says something else about {items(n)}. A moderator looks at it.
      </>
    ),
  },
  handover_settled: {
    icon: Scale,
    label: 'A moderator settles a dispute of yours',
    text: (n) => <>A moderator has decided what happened with {items(n)}</>,
  },
  dispute_received: {
    icon: Scale,
    label: 'Two sides contradict each other',
    text: (n) => <>Two sides contradict each other about {items(n)}</>,
  },
  dm_failed: {
    icon: MailWarning,
    label: 'A direct message could not be delivered',
    text: (n) => <>A direct message{n.itemName && <> about {item(n)}</>} could not be delivered</>,
  },
  test: { icon: Bell, label: 'Test notice', text: () => 'This is the test notice you asked for' },
}

/** The wording of a notice kind that only a newer server knows. */
const unknown: Wording = {
  icon: Bell,
  label: 'Other notices',
  text: (n) =>
    n.itemName ? (
      <>There is news about {item(n)}. Reload the page to see it.</>
    ) : (
      'There is news for you. Reload the page to see it.'
    ),
}

/** Returns the wording of a kind, including kinds this version of the page does not know. */
export function wordingOf(kind: NoticeKind): Wording {
  return Object.hasOwn(wordings, kind) ? wordings[kind] : unknown
}

/** Returns the kinds in the settings, in display order. */
export function kindsIn(settings: Record<string, boolean>): NoticeKind[] {
  return (Object.keys(wordings) as NoticeKind[]).filter((kind) => Object.hasOwn(settings, kind))
}
