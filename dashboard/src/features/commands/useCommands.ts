import {
  BadgeCheck,
  Bell,
  BookOpen,
  Database,
  Handshake,
  Inbox,
  LayoutGrid,
  List,
  LogIn,
  LogOut,
  type LucideIcon,
  Moon,
  Package,
  Plus,
  ScrollText,
  Send,
  ShieldCheck,
  Store,
  Sun,
  TrendingUp,
  UserRoundCheck,
} from 'lucide-react'
import type { User } from '@/api/types'
import { useBoardAddress } from '@/hooks/useBoardAddress'
import { useDialogs } from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { useSignOut } from '@/hooks/useSignOut'
import { rememberView, viewAt } from '@/lib/boardView'
import { fillDraft } from '@/lib/filledDrafts'
import { isOn } from '@/lib/site'
import { currentTheme, saveTheme } from '@/lib/theme'

export type Command = {
  /** What the command menu shows, and the name by which it is chosen. */
  label: string
  icon: LucideIcon
  run: () => void
  /** Other words that find it. */
  words?: string
  /** How many there are of what it leads to. */
  count?: number
}

type CommandGroup = { heading: string; commands: Command[] }

/** Reports whether each word of a text begins a word of the command. */
export function isMeant({ label, words = '' }: Command, text: string): boolean {
  const known = `${label} ${words}`.toLowerCase().split(/\s+/)
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean)
  return typed.every((word) => known.some((other) => other.startsWith(word)))
}

/** The board, searched for a text or with requests of one profession. */
export const boardAt = (filter: { q?: string; category?: string }) => `/?${new URLSearchParams(filter)}`

/** What the user may do from anywhere. */
export function useCommands(user: User | null, close: () => void): CommandGroup[] {
  const { counts } = useMe()
  const { open, go } = useDialogs()
  const signOut = useSignOut()
  const post = usePost(user)
  const board = useBoardAddress()
  const onBoard = new URLSearchParams(board.slice('/'.length))
  const view = viewAt(onBoard) === 'list' ? 'cards' : 'list'
  const theme = currentTheme() === 'dark' ? 'light' : 'dark'

  function show() {
    rememberView(view)
    onBoard.set('view', view)
    go(`/?${onBoard}`)
  }

  const pages: Command[] = [
    { label: 'Browse Requests', icon: Store, run: () => go(board), words: 'board all home' },
    ...(isOn('stock')
      ? [{ label: 'Wanted', icon: TrendingUp, run: () => go('/wanted'), words: 'unmet demand report week prices' }]
      : []),
    ...(user
      ? [
          { label: 'My Requests', icon: ScrollText, run: () => go('/mine'), count: counts.active },
          { label: 'Completed', icon: BadgeCheck, run: () => go('/completed'), words: 'requests fulfilled archive' },
          { label: 'Offers Received', icon: Handshake, run: () => go('/offers/received'), count: counts.received },
          { label: 'My Offers', icon: Send, run: () => go('/offers'), words: 'sent' },
          ...(isOn('handover')
            ? [
                {
                  label: 'My Trades',
                  icon: Handshake,
                  run: () => go('/trades'),
                  words: 'handovers met disputes history',
                },
              ]
            : []),
          ...(isOn('stock')
            ? [{ label: 'My Stock', icon: Package, run: () => go('/stock'), words: 'have sell for me fill earn' }]
            : []),
          { label: 'Inbox', icon: Inbox, run: () => go('/inbox'), words: 'notices messages', count: counts.unread },
        ]
      : []),
    ...(isOn('items') ? [{ label: 'Items', icon: BookOpen, run: () => go('/items'), words: 'catalogue prices' }] : []),
    ...(user?.moderator
      ? [{ label: 'Moderation', icon: ShieldCheck, run: () => go('/moderation'), words: 'reports log blocked' }]
      : []),
  ]
  const actions: Command[] = [
    ...(user?.blockedFor ? [] : [{ label: 'Post Request', icon: Plus, run: () => post(), words: 'new buy' }]),
    {
      label: view === 'list' ? 'Show requests as a list' : 'Show requests as cards',
      icon: view === 'list' ? List : LayoutGrid,
      run: show,
      words: 'view',
    },
    {
      label: 'My Skills',
      icon: UserRoundCheck,
      run: () => open({ name: 'skills' }),
      words: 'levels professions for me',
    },
    {
      label: `Switch to the ${theme} theme`,
      icon: theme === 'dark' ? Moon : Sun,
      run() {
        saveTheme(theme)
        close()
      },
      words: 'colours mode',
    },
    ...(user
      ? [
          { label: 'Notice Settings', icon: Bell, run: () => open({ name: 'notices' }), words: 'quiet hours' },
          { label: 'Your Data', icon: Database, run: () => open({ name: 'data' }), words: 'download delete account' },
          {
            label: 'Sign Out',
            icon: LogOut,
            run: () => void signOut(),
            words: 'leave log',
          },
        ]
      : [
          {
            label: 'Sign In with Discord',
            icon: LogIn,
            run: () => open({ name: 'sign-in' }),
            words: 'account up log',
          },
        ]),
  ]
  return [
    { heading: 'Go to', commands: pages },
    { heading: 'Do', commands: actions },
  ]
}

/** Opens the form of a new request, for an item if there is one. A visitor signs in first. */
export function usePost(user: User | null) {
  const { open } = useDialogs()
  return (itemName?: string) => {
    if (itemName) fillDraft('post', { itemName })
    open(user ? { name: 'post' } : { name: 'sign-in', mode: 'sign-up', next: 'post' })
  }
}
