import { useState } from 'react'
import { signInAddress } from '@/api/me'
import { LinkButton } from '@/components/buttons'
import { DiscordMark } from '@/components/discord-mark'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import type { DialogProps } from '@/hooks/useDialogs'
import { clearPendingSignOut } from '@/lib/pendingSignOut'

const modes = {
  'sign-up': {
    title: 'Join the Community',
    text: 'Post requests, get offers by direct message, and keep track of what you sold.',
    question: 'Already have an account?',
    toggle: 'Sign in',
  },
  'sign-in': {
    title: 'Welcome Back',
    text: 'Your requests and offers are where you left them, here and on Discord.',
    question: 'New here?',
    toggle: 'Sign up',
  },
} as const

const outcomes: Record<string, string> = {
  denied: 'You cancelled the sign-in on Discord.',
  expired: 'The sign-in took too long or was started in another browser. Please try again.',
  unavailable: "Discord didn't respond. Please try again in a moment.",
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
  const { title, text, question, toggle } = modes[mode]

  function connect() {
    setConnecting(true)
    clearPendingSignOut() // the user signs in again
    location.assign(signInAddress(returnTo))
  }

  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={title} description={text} className="sm:max-w-md">
        <DialogBody className="grid gap-4 pb-6">
          {outcome && !connecting && <Notice>{outcomes[outcome] ?? 'An error occurred'}</Notice>}
          <Button size="lg" disabled={connecting} onClick={connect}>
            <DiscordMark className="size-5" /> {connecting ? 'Connecting...' : 'Continue with Discord'}
          </Button>
          <p className="text-center text-muted-foreground text-sm">
            {question}{' '}
            <LinkButton onClick={() => setMode(mode === 'sign-in' ? 'sign-up' : 'sign-in')}>{toggle}</LinkButton>
          </p>
          <p className="text-center text-muted-foreground text-xs">
            We receive your Discord name and e-mail address. Only you can see the address.
          </p>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
