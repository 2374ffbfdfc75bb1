import { CircleUser } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { User } from '@/api/types'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/texts'

const load = () => import('./AccountMenu')
const Menu = lazy(load)

type Props = { user: User; onSignOut: () => void }

/** Loads the menu on the first click, or when the pointer or the focus reaches the button. */
export function AccountMenu({ user, onSignOut }: Props) {
  const [wanted, setWanted] = useState(false)
  const prefetch = () => void load().catch(() => {})
  const button = (
    <AccountButton
      user={user}
      aria-haspopup="menu"
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={() => setWanted(true)}
    />
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <Menu user={user} onSignOut={onSignOut}>
        <AccountButton user={user} />
      </Menu>
    </Suspense>
  )
}

/** Shows the e-mail address where there is room. */
function AccountButton({ user, ...props }: { user: User } & ComponentProps<typeof Button>) {
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
