import { BadgeCheck, CircleHelp } from 'lucide-react'
import { Tag } from './tag'

/** Whether a contact is the Discord account that wrote it, or was typed by a visitor. */
export function VerifiedTag({ verified }: { verified: boolean }) {
  return verified ? (
    <Tag tone="accent">
      <BadgeCheck aria-hidden /> verified
    </Tag>
  ) : (
    <Tag tone="outline">
      <CircleHelp aria-hidden /> unverified contact
    </Tag>
  )
}
