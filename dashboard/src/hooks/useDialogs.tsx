import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Order, User } from '@/api/types'

export type DialogName =
  | 'post'
  | 'edit'
  | 'offer'
  | 'offers'
  | 'receipts'
  | 'sales'
  | 'close'
  | 'delete'
  | 'report'
  | 'remove'
  | 'block'
  | 'sign-in'
  | 'notices'
  | 'data'
  | 'filters'
  | 'commands'
  | 'skills'
  | 'searches'
  | 'watches'

export type DialogAddress = {
  name: DialogName
  request?: number
  mode?: 'sign-up' | 'sign-in'
  /** The dialog to open after signing in. */
  next?: DialogName
  /** Why a sign-in failed: the server's code. */
  outcome?: string
}

/** The props of every dialog. */
export type DialogProps = {
  open: boolean
  onClose: () => void
  user: User | null
}

/** The props of a dialog about one request. */
export type OrderDialogProps = DialogProps & { order: Order }

const names = [
  'post',
  'edit',
  'offer',
  'offers',
  'receipts',
  'sales',
  'close',
  'delete',
  'report',
  'remove',
  'block',
  'sign-in',
  'notices',
  'data',
  'filters',
  'commands',
  'skills',
  'searches',
  'watches',
] as const satisfies DialogName[]

type Dialogs = {
  open: (address: DialogAddress) => void
  close: () => void
  /** Navigates to an address of the page, from where back leads to what was under an open dialog. */
  go: (to: string) => void
}

const DialogsContext = createContext<Dialogs>({ open: () => {}, close: () => {}, go: () => {} })

/** Returns the dialog named in a URL, if any: "?dialog=offer&request=12". */
export function dialogAt(search: string): DialogAddress | null {
  const params = new URLSearchParams(search)
  const known = (name: string | null) => names.find((n) => n === name)
  const name = known(params.get('dialog'))
  const outcome = params.get('signin')
  const number = Number(params.get('request'))
  const request = Number.isSafeInteger(number) && number > 0 ? { request: number } : {}
  if (outcome) {
    return {
      name: 'sign-in',
      mode: name === 'post' ? 'sign-up' : 'sign-in',
      outcome,
      ...(name && { next: name }),
      ...request,
    }
  }
  if (!name) return null
  const next = known(params.get('next'))
  return {
    name,
    ...request,
    ...(params.get('mode') === 'sign-up' && { mode: 'sign-up' as const }),
    ...(next && { next }),
  }
}

/** Remembers the open dialog in the sign-in dialog, so that the user returns to it. */
function withReturn(address: DialogAddress, before: DialogAddress | null): DialogAddress {
  if (address.name !== 'sign-in' || !before || before.name === 'commands') return address
  return { next: before.name === 'sign-in' ? before.next : before.name, request: before.request, ...address }
}

/** Returns the query string without the dialog. */
export function withoutDialog(search: string): string {
  const params = new URLSearchParams(search)
  for (const name of ['dialog', 'request', 'mode', 'next', 'signin']) params.delete(name)
  const rest = params.toString()
  return rest ? `?${rest}` : ''
}

/** Returns the query string with a dialog. */
export function withDialog(search: string, { name, request, mode, next }: DialogAddress): string {
  const params = new URLSearchParams(withoutDialog(search))
  params.set('dialog', name)
  if (request) params.set('request', String(request))
  if (mode) params.set('mode', mode)
  if (next) params.set('next', next)
  return `?${params}`
}

/** Dialogs are in the URL: back closes one, reload keeps it, and a link can open it. */
export function DialogsProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const location = useLocation()
  // The functions keep their identity, so that cards do not rerender on each navigation.
  const now = useRef({ navigate, location })
  useEffect(() => {
    now.current = { navigate, location }
  })

  const dialogs = useMemo<Dialogs>(
    () => ({
      open(address) {
        const { navigate, location } = now.current
        const { pathname, search } = window.location // which may be ahead of React's state
        const before = dialogAt(search)
        const replace = before !== null // one dialog leads to another: back closes both
        const state = replace ? location.state : { openedHere: true }
        navigate({ pathname, search: withDialog(search, withReturn(address, before)) }, { replace, state })
      },
      close() {
        const { navigate, location } = now.current
        if (dialogAt(location.search) === null) return
        if (location.state?.openedHere) navigate(-1)
        else navigate({ search: withoutDialog(location.search) }, { replace: true })
      },
      go(to) {
        const { navigate, location } = now.current
        navigate(to, { replace: dialogAt(location.search) !== null })
      },
    }),
    [],
  )
  return <DialogsContext value={dialogs}>{children}</DialogsContext>
}

export const useDialogs = () => use(DialogsContext)
