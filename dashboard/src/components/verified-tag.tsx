import { BadgeCheck, CircleHelp } from 'lucide-react'
import { t } from '@/lib/texts'
import { Tag } from './tag'

/** Whether a contact is the Discord account that wrote it, or was typed by a visitor. */
export function VerifiedTag({ verified }: { verified: boolean }) {
  return verified ? (
    <Tag tone="accent">
      <BadgeCheck aria-hidden /> {t('parts_verified')}
    </Tag>
  ) : (
    <Tag tone="outline">
      <CircleHelp aria-hidden /> {t('parts_unverified')}
    </Tag>
  )
}
