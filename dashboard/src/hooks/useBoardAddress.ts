import { useLocation } from 'react-router'
import { lastBoard } from '@/lib/finding'
import { withoutDialog } from './useDialogs'

/** The address of the board as it is shown, or was last shown in this tab: its filters survive other pages. */
export function useBoardAddress(): string {
  const { pathname, search } = useLocation()
  return `/${pathname === '/' ? withoutDialog(search) : lastBoard()}`
}
