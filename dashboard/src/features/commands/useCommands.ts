import {
  BadgeCheck,
  Bell,
  Bookmark,
  BookOpen,
  Code,
  Database,
  Handshake,
  HeartPulse,
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
  Tag,
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
import { t } from '@/lib/texts'
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

  const saved: Command = {
    label: t('common_saved_searches'),
    icon: Bookmark,
    run: () => go('/selling/saved'),
    words: t('commands_words_saved'),
  }
  const pages: Command[] = [
    { label: t('common_browse_requests'), icon: Store, run: () => go(board), words: t('commands_words_board') },
    ...(isOn('stock')
      ? [
          {
            label: t('common_wanted'),
            icon: TrendingUp,
            run: () => go('/items/wanted'),
            words: t('commands_words_wanted'),
          },
        ]
      : []),
    ...(user
      ? [
          { label: t('common_my_requests'), icon: ScrollText, run: () => go('/mine'), count: counts.active },
          {
            label: t('common_completed'),
            icon: BadgeCheck,
            run: () => go('/completed'),
            words: t('commands_words_completed'),
          },
          {
            label: t('common_offers_received'),
            icon: Handshake,
            run: () => go('/mine/offers'),
            count: counts.received,
          },
          {
            label: t('common_my_offers'),
            icon: Send,
            run: () => go('/selling/offers'),
            words: t('commands_words_sent'),
          },
          ...(isOn('handover')
            ? [
                {
                  label: t('common_my_trades'),
                  icon: Handshake,
                  run: () => go('/trades'),
                  count: counts.confirm,
                  words: t('commands_words_trades'),
                },
              ]
            : []),
          ...(isOn('stock')
            ? [
                {
                  label: t('common_selling'),
                  icon: Tag,
                  run: () => go('/selling'),
                  words: t('orders_for_me'),
                },
                {
                  label: t('common_my_stock'),
                  icon: Package,
                  run: () => go('/selling/stock'),
                  words: t('commands_words_stock'),
                },
              ]
            : []),
          {
            label: t('common_inbox'),
            icon: Inbox,
            run: () => go('/inbox'),
            words: t('commands_words_inbox'),
            count: counts.unread,
          },
        ]
      : []),
    saved,
    ...(isOn('items')
      ? [{ label: t('common_items'), icon: BookOpen, run: () => go('/items'), words: t('commands_words_items') }]
      : []),
    ...(user?.moderator
      ? [
          {
            label: t('common_moderation'),
            icon: ShieldCheck,
            run: () => go('/moderation'),
            count: counts.cases,
            words: t('commands_words_moderation'),
          },
        ]
      : []),
    ...(user?.operator
      ? [
          {
            label: t('common_operation'),
            icon: HeartPulse,
            run: () => go('/operation'),
            words: t('commands_words_operation'),
          },
        ]
      : []),
  ]
  const actions: Command[] = [
    ...(user?.blockedFor
      ? []
      : [{ label: t('common_post_request'), icon: Plus, run: () => post(), words: t('commands_words_post') }]),
    {
      label: view === 'list' ? t('commands_show_as_list') : t('commands_show_as_cards'),
      icon: view === 'list' ? List : LayoutGrid,
      run: show,
      words: t('commands_words_view'),
    },
    {
      label: t('common_my_skills'),
      icon: UserRoundCheck,
      run: () => open({ name: 'skills' }),
      words: t('commands_words_skills'),
    },
    {
      label: t('embed_copy'),
      icon: Code,
      run() {
        const { pathname } = window.location
        const address = pathname.startsWith('/items/') ? pathname : board
        void import('@/lib/embed').then((embed) => embed.copyEmbedCode(address))
        close()
      },
      words: t('embed_words'),
    },
    {
      label: t('commands_switch_theme', { theme }),
      icon: theme === 'dark' ? Moon : Sun,
      run() {
        saveTheme(theme)
        close()
      },
      words: t('commands_words_theme'),
    },
    ...(user
      ? [
          {
            label: t('common_notice_settings'),
            icon: Bell,
            run: () => open({ name: 'notices' }),
            words: t('commands_words_notices'),
          },
          {
            label: t('common_your_data'),
            icon: Database,
            run: () => open({ name: 'data' }),
            words: t('commands_words_data'),
          },
          {
            label: t('common_sign_out'),
            icon: LogOut,
            run: () => void signOut(),
            words: t('commands_words_sign_out'),
          },
        ]
      : [
          {
            label: t('common_sign_in_with_discord'),
            icon: LogIn,
            run: () => open({ name: 'sign-in' }),
            words: t('commands_words_sign_in'),
          },
        ]),
  ]
  return [
    { heading: t('commands_go_to'), commands: pages },
    { heading: t('commands_do'), commands: actions },
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
