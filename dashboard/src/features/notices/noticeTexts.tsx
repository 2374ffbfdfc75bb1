import {
  Award,
  Ban,
  Bell,
  BellRing,
  CalendarClock,
  CircleCheckBig,
  CircleX,
  Flag,
  Handshake,
  Hourglass,
  Inbox,
  KeyRound,
  type LucideIcon,
  MailWarning,
  PartyPopper,
  RotateCcw,
  Scale,
  ShieldAlert,
  ShieldX,
  ShoppingBag,
  Undo2,
  VenetianMask,
  Webhook,
  Wind,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Notice, NoticeKind } from '@/api/types'
import { Amount } from '@/components/coins'
import { Typed } from '@/components/typed'
import { rich, t } from '@/lib/texts'

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
const itemsOf = (n: Notice) => ({ quantity: n.quantity, item: item(n) })
/** Names the other side. A message brings its own fallback, because many languages decline it. */
const nameOf = (n: Notice, fallback: string) => <Typed>{n.counterpart.name || n.counterpart.contact || fallback}</Typed>

/** Names a role and its Discord server. */
const roleOf = (n: Notice) => ({ role: item(n), server: <Typed>{n.counterpart.name}</Typed> })

const wordings: Record<NoticeKind, Wording> = {
  offer_received: {
    icon: Inbox,
    label: t('notices_offer_received_label'),
    text: (n) =>
      rich('notices_offer_received', {
        seller: nameOf(n, t('notices_a_seller')),
        ...itemsOf(n),
        price: <Amount value={n.pricePerUnit} />,
      }),
  },
  offer_accepted: {
    icon: CircleCheckBig,
    label: t('notices_offer_accepted_label'),
    text: (n) => rich('notices_offer_accepted', { buyer: nameOf(n, t('notices_the_buyer')), ...itemsOf(n) }),
  },
  offer_declined: {
    icon: CircleX,
    label: t('notices_offer_declined_label'),
    text: (n) => rich('notices_offer_declined', { item: item(n) }),
  },
  offer_withdrawn: {
    icon: Undo2,
    label: t('notices_offer_withdrawn_label'),
    text: (n) => rich('notices_offer_withdrawn', { seller: nameOf(n, t('notices_a_seller')), item: item(n) }),
  },
  offer_lapsed: {
    icon: Wind,
    label: t('notices_offer_lapsed_label'),
    text: (n) => rich('notices_offer_lapsed', { item: item(n) }),
  },
  order_filled: {
    icon: PartyPopper,
    label: t('notices_order_filled_label'),
    text: (n) => rich('notices_order_filled', itemsOf(n)),
  },
  order_expiring: {
    icon: Hourglass,
    label: t('notices_order_expiring_label'),
    text: (n) => rich('notices_order_expiring', itemsOf(n)),
  },
  stock_stale: {
    icon: Hourglass,
    label: t('notices_stock_stale_label'),
    text: (n) => rich('notices_stock_stale', itemsOf(n)),
  },
  order_removed: {
    icon: ShieldX,
    label: t('notices_order_removed_label'),
    text: (n) => rich('notices_order_removed', itemsOf(n)),
  },
  offer_removed: {
    icon: ShieldX,
    label: t('notices_offer_removed_label'),
    text: (n) => rich('notices_offer_removed', itemsOf(n)),
  },
  order_restored: {
    icon: RotateCcw,
    label: t('notices_order_restored_label'),
    text: (n) => rich('notices_order_restored', itemsOf(n)),
  },
  offer_restored: {
    icon: RotateCcw,
    label: t('notices_offer_restored_label'),
    text: (n) => rich('notices_offer_restored', itemsOf(n)),
  },
  listing_removed: {
    icon: ShieldX,
    label: t('notices_listing_removed_label'),
    text: (n) => rich('notices_listing_removed', itemsOf(n)),
  },
  listing_restored: {
    icon: RotateCcw,
    label: t('notices_listing_restored_label'),
    text: (n) => rich('notices_listing_restored', itemsOf(n)),
  },
  offer_reopened: {
    icon: RotateCcw,
    label: t('notices_offer_reopened_label'),
    text: (n) => rich('notices_offer_reopened', itemsOf(n)),
  },
  user_blocked: {
    icon: Ban,
    label: t('notices_user_blocked_label'),
    text: () => t('notices_user_blocked'),
  },
  many_removals: {
    icon: ShieldAlert,
    label: t('notices_many_removals_label'),
    text: (n) =>
      rich('notices_many_removals', { moderator: nameOf(n, t('notices_a_moderator')), quantity: n.quantity }),
  },
  report_received: {
    icon: Flag,
    label: t('notices_report_received_label'),
    text: (n) => rich('notices_report_received', { item: item(n) }),
  },
  report_channel_ended: {
    icon: Flag,
    label: t('notices_report_channel_ended_label'),
    text: () => t('notices_report_channel_ended'),
  },
  board_ended: {
    icon: Flag,
    label: t('notices_board_ended_label'),
    text: () => t('notices_board_ended'),
  },
  role_given: {
    icon: Award,
    label: t('notices_role_given_label'),
    text: (n) => rich('notices_role_given', roleOf(n)),
  },
  token_made: {
    icon: KeyRound,
    label: t('notices_token_made_label'),
    text: (n) => rich('notices_token_made', { name: <Typed>{n.counterpart.name}</Typed> }),
  },
  webhook_off: {
    icon: Webhook,
    label: t('notices_webhook_off_label'),
    text: (n) => rich('notices_webhook_off', { host: <Typed>{n.counterpart.name}</Typed>, reason: n.message }),
  },
  role_taken: {
    icon: Award,
    label: t('notices_role_taken_label'),
    text: (n) => rich('notices_role_taken', roleOf(n)),
  },
  role_trouble: {
    icon: Award,
    label: t('notices_role_trouble_label'),
    text: (n) => rich('notices_role_trouble', roleOf(n)),
  },
  look_alike: {
    icon: VenetianMask,
    label: t('notices_look_alike_label'),
    text: (n) => {
      const name = n.counterpart.name
      const places = { item: item(n), named: name && 'yes', name: <Typed>{name}</Typed> }
      return n.offerId === null ? rich('notices_look_alike_request', places) : rich('notices_look_alike_offer', places)
    },
  },
  request_watched: {
    icon: BellRing,
    label: t('notices_request_watched_label'),
    text: (n) => {
      const places = { ...itemsOf(n), price: <Amount value={n.pricePerUnit} /> }
      if (n.listingId !== undefined) return rich('notices_listing_watched', places)
      return n.watchId === null ? rich('notices_request_in_stock', places) : rich('notices_request_watched', places)
    },
  },
  offer_timed_out: {
    icon: Wind,
    label: t('notices_offer_timed_out_label'),
    text: (n) => rich('notices_offer_timed_out', { seller: nameOf(n, t('notices_of_a_seller')), item: item(n) }),
  },
  standing_accepted: {
    icon: CircleCheckBig,
    label: t('notices_standing_accepted_label'),
    text: (n) =>
      rich('notices_standing_accepted', {
        ...itemsOf(n),
        seller: nameOf(n, t('notices_of_a_seller')),
        price: <Amount value={n.pricePerUnit} />,
      }),
  },
  listing_sold: {
    icon: CircleCheckBig,
    label: t('notices_listing_sold_label'),
    text: (n) =>
      rich('notices_listing_sold', {
        ...itemsOf(n),
        buyer: nameOf(n, t('notices_with_other_side')),
        price: <Amount value={n.pricePerUnit} />,
      }),
  },
  crossing_undone: {
    icon: Undo2,
    label: t('notices_crossing_undone_label'),
    text: (n) => rich('notices_crossing_undone', { ...itemsOf(n), name: nameOf(n, t('notices_with_other_side')) }),
  },
  ask_received: {
    icon: ShoppingBag,
    label: t('notices_ask_received_label'),
    text: (n) =>
      rich('notices_ask_received', {
        ...itemsOf(n),
        buyer: nameOf(n, t('notices_the_buyer')),
        price: <Amount value={n.pricePerUnit} />,
      }),
  },
  ask_accepted: {
    icon: CircleCheckBig,
    label: t('notices_ask_accepted_label'),
    text: (n) =>
      rich('notices_ask_accepted', {
        ...itemsOf(n),
        seller: nameOf(n, t('notices_a_seller')),
        price: <Amount value={n.pricePerUnit} />,
      }),
  },
  ask_ended: {
    icon: Wind,
    label: t('notices_ask_ended_label'),
    text: (n) => rich('notices_ask_ended', itemsOf(n)),
  },
  handover_prompt: {
    icon: Handshake,
    label: t('notices_handover_prompt_label'),
    text: (n) => rich('notices_handover_prompt', { name: nameOf(n, t('notices_meet_other_side')), ...itemsOf(n) }),
  },
  handover_cancelled: {
    icon: Undo2,
    label: t('notices_handover_cancelled_label'),
    text: (n) => rich('notices_handover_cancelled', { ...itemsOf(n), name: nameOf(n, t('notices_with_other_side')) }),
  },
  handover_disputed: {
    icon: Scale,
    label: t('notices_handover_disputed_label'),
    text: (n) => rich('notices_handover_disputed', { name: nameOf(n, t('notices_the_other_side')), ...itemsOf(n) }),
  },
  handover_settled: {
    icon: Scale,
    label: t('notices_handover_settled_label'),
    // A decision has a reason; without one it was taken back.
    text: (n) =>
      n.message ? rich('notices_handover_settled', itemsOf(n)) : rich('notices_handover_reopened', itemsOf(n)),
  },
  meeting_time: {
    icon: CalendarClock,
    label: t('notices_meeting_time_label'),
    text: (n) => rich('notices_meeting_time', { name: nameOf(n, t('notices_the_other_side')), ...itemsOf(n) }),
  },
  meeting_soon: {
    icon: CalendarClock,
    label: t('notices_meeting_soon_label'),
    text: (n) => rich('notices_meeting_soon', { name: nameOf(n, t('notices_meet_other_side')), ...itemsOf(n) }),
  },
  dispute_received: {
    icon: Scale,
    label: t('notices_dispute_received_label'),
    text: (n) => rich('notices_dispute_received', itemsOf(n)),
  },
  dm_failed: {
    icon: MailWarning,
    label: t('notices_dm_failed_label'),
    text: (n) => (n.itemName ? rich('notices_dm_failed_about', { item: item(n) }) : t('notices_dm_failed')),
  },
  test: {
    icon: Bell,
    label: t('notices_test_label'),
    text: () => t('notices_test'),
  },
}

/** The wording of a notice kind that only a newer server knows. */
const unknown: Wording = {
  icon: Bell,
  label: t('notices_other_label'),
  text: (n) => (n.itemName ? rich('notices_other_about', { item: item(n) }) : t('notices_other')),
}

/** Returns the wording of a kind, including kinds this version of the page does not know. */
export function wordingOf(kind: NoticeKind): Wording {
  return Object.hasOwn(wordings, kind) ? wordings[kind] : unknown
}

/** Returns the kinds in the settings, in display order. */
export function kindsIn(settings: Record<string, boolean>): NoticeKind[] {
  return (Object.keys(wordings) as NoticeKind[]).filter((kind) => Object.hasOwn(settings, kind))
}
