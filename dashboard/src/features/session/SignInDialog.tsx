import { useState } from 'react'
import { signInAddress } from '@/api/me'
import { LinkButton } from '@/components/buttons'
import { DiscordMark } from '@/components/discord-mark'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import type { DialogProps } from '@/hooks/useDialogs'
import { clearPendingSignOut } from '@/lib/pendingSignOut'
import { rich, t } from '@/lib/texts'

const modes = {
  'sign-up': { title: t('session_join_title'), text: t('session_join_text') },
  'sign-in': { title: t('session_back_title'), text: t('session_back_text') },
} as const

const outcomes: Record<string, string> = {
  denied: t('session_denied'),
  expired: t('session_expired'),
  unavailable: t('session_unavailable'),
}

type Props = DialogProps & {
  /** The address to return to after signing in. */
  returnTo?: string
  mode?: keyof typeof modes
  /** Why the last attempt failed: the server's code. */
  outcome?: string
}

/** Sign-in is through Discord only; the two modes differ only in their texts. */
export default function SignInDialog({ open, onClose, mode: first = 'sign-in', returnTo, outcome }: Props) {
  const [mode, setMode] = useState<keyof typeof modes>(first)
  const [connecting, setConnecting] = useState(false)
  const { title, text } = modes[mode]

  function connect() {
    setConnecting(true)
    clearPendingSignOut() // the user signs in again
    location.assign(signInAddress(returnTo))
  }

  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={title} description={text} className="sm:max-w-md">
        <DialogBody className="grid gap-4 pb-6">
          {outcome && !connecting && <Notice>{outcomes[outcome] ?? t('session_error')}</Notice>}
          <Button size="lg" disabled={connecting} onClick={connect}>
            <DiscordMark className="size-5" /> {connecting ? t('session_connecting') : t('session_continue')}
          </Button>
          <p className="text-center text-muted-foreground text-sm">
            {mode === 'sign-in'
              ? rich('session_back_toggle', {
                  link: (text) => <LinkButton onClick={() => setMode('sign-up')}>{text}</LinkButton>,
                })
              : rich('session_join_toggle', {
                  link: (text) => <LinkButton onClick={() => setMode('sign-in')}>{text}</LinkButton>,
                })}
          </p>
          <p className="text-center text-muted-foreground text-xs">{t('session_received')}</p>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
