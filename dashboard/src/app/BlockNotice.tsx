import { Ban } from 'lucide-react'
import { t } from '@/lib/texts'

/** Tells a blocked user why they are blocked. */
export default function BlockNotice({ reason }: { reason: string }) {
  return (
    <aside
      aria-label={t('app_blocked')}
      className="mx-auto mt-4 flex max-w-board items-start gap-2 px-4 text-destructive text-sm sm:px-6"
    >
      <Ban aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0 wrap-anywhere">{t('app_blocked_for', { reason })}</p>
    </aside>
  )
}
