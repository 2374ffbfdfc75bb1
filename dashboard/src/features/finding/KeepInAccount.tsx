import { useState } from 'react'
import { browserSearches } from '@/api/browserSearches'
import { browserSkills } from '@/api/browserSkills'
import { addSaved } from '@/api/searches'
import type { SavedDraft, Skill } from '@/api/types'
import { LinkButton } from '@/components/buttons'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { uuid } from '@/lib/uuid'

type Props = {
  skills: readonly Skill[]
  save: (skills: Skill[], key: string) => Promise<void>
  onKept: () => void
}

/** Offers to keep the skills and searches of this browser in an account that has no skills yet. */
export default function KeepInAccount({ skills, save, onKept }: Props) {
  const [busy, setBusy] = useState(false)

  async function keep() {
    setBusy(true)
    try {
      await save([...skills], uuid())
      // A name that the account has already is left out.
      await Promise.allSettled(
        browserSearches.get().map(({ id: _, ...draft }) => addSaved(draft as SavedDraft, false, uuid())),
      )
      browserSearches.set([])
      onKept()
      showToast(t('finding_kept'))
    } catch {
      showToast(t('finding_skills_failed'), 'error')
      setBusy(false)
    }
  }

  return (
    <p className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-muted px-3 py-1 text-sm">
      <span className="mr-auto">{t('finding_keep_question')}</span>
      <LinkButton disabled={busy} onClick={keep}>
        {t('finding_keep')}
      </LinkButton>
      <LinkButton
        disabled={busy}
        onClick={() => {
          browserSkills.set([])
          browserSearches.set([])
        }}
      >
        {t('finding_discard')}
      </LinkButton>
    </p>
  )
}
