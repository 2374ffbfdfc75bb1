import { CircleUser } from 'lucide-react'
import type { User } from '@/api/types'
import { lazyMenu, type MenuButtonProps } from '@/components/lazy-menu'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/texts'

const Menu = lazyMenu(() => import('./AccountMenu'))

type Props = { user: User; onSignOut: () => void }

export function AccountMenu({ user, onSignOut }: Props) {
  return <Menu user={user} onSignOut={onSignOut} button={(button) => <AccountButton user={user} {...button} />} />
}

/** Shows the e-mail address where there is room. */
function AccountButton({ user, ...props }: { user: User } & MenuButtonProps) {
  const address = user.email ?? user.username
  return (
    <Button
      variant="ghost"
      className="size-10 shrink-0 p-0 xl:w-auto xl:px-2"
      aria-label={t('app_account_of', { name: user.displayName, address })}
      title={t('app_only_you')}
      {...props}
    >
      <CircleUser />
      <bdi dir="auto" className="hidden max-w-56 truncate font-normal text-muted-foreground xl:block">
        {address}
      </bdi>
    </Button>
  )
}
