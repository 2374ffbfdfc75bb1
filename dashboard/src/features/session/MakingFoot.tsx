import type { ReactNode } from 'react'
import { SignInOnceMore } from '@/components/failure'
import { Notice } from '@/components/notice'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/texts'

type Props = {
  notice: ReactNode
  /** Whether the last sign-in is too long ago. */
  stale: boolean
  sending: boolean
  /** The text of the button that makes it. */
  make: string
  onCancel: () => void
}

/** The end of a form for access of a program: what went wrong, and the buttons. */
export function MakingFoot({ notice, stale, sending, make, onCancel }: Props) {
  return (
    <>
      {notice && (
        <Notice>
          {notice}
          {stale && <SignInOnceMore />}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" className="max-sm:h-11" disabled={sending}>
          {make}
        </Button>
        <Button variant="ghost" className="max-sm:h-11" onClick={onCancel}>
          {t('common_cancel')}
        </Button>
      </div>
    </>
  )
}
