import { ApiError, messageFor } from '@/api/client'
import { signInAddress } from '@/api/me'
import { clearPendingSignOut } from '@/lib/pendingSignOut'
import { t } from '@/lib/texts'
import { Notice } from './notice'
import { Button } from './ui/button'

/** Reports whether signing in once more solves an error. */
export const needsFreshSignIn = (error: unknown) =>
  error instanceof ApiError && error.problem.code === 'fresh_sign_in_needed'

/** Leads through the sign-in and back to this page. */
export function SignInOnceMore() {
  return (
    <Button asChild variant="outline" size="sm" className="mt-2 flex w-fit text-foreground max-sm:h-11">
      <a href={signInAddress()} onClick={clearPendingSignOut}>
        {t('parts_sign_in_once_more')}
      </a>
    </Button>
  )
}

type Props = { error: unknown; fallback: string }

/** The message for an error, and the sign-in where that solves it. */
export function Failure({ error, fallback }: Props) {
  return (
    <Notice>
      {messageFor(error, fallback)}
      {needsFreshSignIn(error) && <SignInOnceMore />}
    </Notice>
  )
}
