import { type ReactNode, Suspense } from 'react'
import type { User } from '@/api/types'
import { DiscordMark } from '@/components/discord-mark'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { PageRows } from './PageFrame'

const EmptyState = lazy(() => import('@/components/empty-state'))

/** Renders its children for a signed-in user, and a prompt to sign in for a visitor. */
export function SignedIn({ children }: { children: (user: User) => ReactNode }) {
  const { user, isPending } = useMe()
  const { open } = useDialogs()
  if (user) return children(user)
  if (isPending) return <PageRows />
  return (
    <Suspense fallback={<PageRows />}>
      <EmptyState
        drawing="chest"
        title={t('app_sign_in_first')}
        hint={t('app_sign_in_why')}
        action={
          <Button onClick={() => open({ name: 'sign-in' })}>
            <DiscordMark className="size-5" /> {t('common_sign_in_with_discord')}
          </Button>
        }
      />
    </Suspense>
  )
}
