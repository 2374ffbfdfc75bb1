import {
  Bell,
  BellRing,
  BookOpen,
  Database,
  Handshake,
  LogOut,
  Package,
  ShieldCheck,
  SquareChevronRight,
  TrendingUp,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '@/api/types'
import { PageMenu } from '@/components/page-menu'
import { DropdownMenuItem, DropdownMenuLabel, DropdownMenuSeparator } from '@/components/ui/dropdown-menu'
import { Kbd } from '@/components/ui/kbd'
import { useDialogs } from '@/hooks/useDialogs'
import { commandKey } from '@/lib/keyboard'
import { isOn } from '@/lib/site'

type Props = {
  user: User
  onSignOut: () => void
  /** The button that opens it. */
  children: ReactNode
}

/** Whose account this is, its settings and data, and Sign Out. It is open when it mounts. */
export default function AccountMenu({ user, onSignOut, children }: Props) {
  const { open, go } = useDialogs()
  return (
    <PageMenu button={children} opened>
      {(choose) => (
        <>
          <DropdownMenuLabel className="max-w-72">
            <bdi dir="auto" className="block truncate font-medium text-foreground">
              {user.displayName}
            </bdi>
            <bdi dir="auto" className="block truncate">
              {user.email ?? user.username}
            </bdi>
          </DropdownMenuLabel>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={choose(() => open({ name: 'commands' }))}>
            <SquareChevronRight /> Commands <Kbd className="pointer-coarse:hidden ml-auto">{commandKey}</Kbd>
          </DropdownMenuItem>
          {isOn('items') && (
            <DropdownMenuItem onSelect={choose(() => go('/items'))}>
              <BookOpen /> Items
            </DropdownMenuItem>
          )}
          {isOn('stock') && (
            <>
              <DropdownMenuItem onSelect={choose(() => go('/wanted'))}>
                <TrendingUp /> Wanted
              </DropdownMenuItem>
              <DropdownMenuItem onSelect={choose(() => go('/stock'))}>
                <Package /> My Stock
              </DropdownMenuItem>
            </>
          )}
          {isOn('handover') && (
            <DropdownMenuItem onSelect={choose(() => go('/trades'))}>
              <Handshake /> My Trades
            </DropdownMenuItem>
          )}
          <DropdownMenuItem onSelect={choose(() => open({ name: 'notices' }))}>
            <Bell /> Notice Settings
          </DropdownMenuItem>
          {isOn('watches') && (
            <DropdownMenuItem onSelect={choose(() => open({ name: 'watches' }))}>
              <BellRing /> My Watches
            </DropdownMenuItem>
          )}
          <DropdownMenuItem onSelect={choose(() => open({ name: 'data' }))}>
            <Database /> Your Data
          </DropdownMenuItem>
          {user.moderator && (
            <DropdownMenuItem onSelect={choose(() => go('/moderation'))}>
              <ShieldCheck /> Moderation
            </DropdownMenuItem>
          )}
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={choose(onSignOut)}>
            <LogOut /> Sign Out
          </DropdownMenuItem>
        </>
      )}
    </PageMenu>
  )
}
