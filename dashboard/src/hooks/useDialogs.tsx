import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Order, User } from '@/api/types'

export type DialogName =
  | 'post'
  | 'edit'
  | 'offer'
  | 'offers'
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

export type DialogAddress = {
  name: DialogName
  request?: number
  mode?: 'sign-up' | 'sign-in'
  /** The dialog that signing in leads to. */
  next?: DialogName
  /** How a sign-in ended that did not succeed, in the server's word for it. */
  outcome?: string
}

/** What every dialog is given. */
export type DialogProps = {
  open: boolean
  onClose: () => void
  user: User | null
}

/** What a dialog about one request is given. */
export type OrderDialogProps = DialogProps & { order: Order }

const names = [
  'post',
  'edit',
  'offer',
  'offers',
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
] as const satisfies DialogName[]

type Dialogs = {
  open: (address: DialogAddress) => void
  close: () => void
  /** Goes to an address of the page. */
  go: (to: string) => void
}

const DialogsContext = createContext<Dialogs>({ open: () => {}, close: () => {}, go: () => {} })

/** Which dialog an address shows, if any: "?dialog=offer&request=12". */
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

/** Who has to sign in first is led back to the dialog that it was for. */
function leadingBack(address: DialogAddress, before: DialogAddress | null): DialogAddress {
  if (address.name !== 'sign-in' || !before) return address
  return { next: before.name === 'sign-in' ? before.next : before.name, request: before.request, ...address }
}

/** The address without its dialog. */
export function withoutDialog(search: string): string {
  const params = new URLSearchParams(search)
  for (const name of ['dialog', 'request', 'mode', 'next', 'signin']) params.delete(name)
  const rest = params.toString()
  return rest ? `?${rest}` : ''
}

/** The address with a dialog over it. */
export function withDialog(search: string, { name, request, mode, next }: DialogAddress): string {
  const params = new URLSearchParams(withoutDialog(search))
  params.set('dialog', name)
  if (request) params.set('request', String(request))
  if (mode) params.set('mode', mode)
  if (next) params.set('next', next)
  return `?${params}`
}

/** Dialogs have addresses: back closes one, reload keeps it, and a link can open it. */
export function DialogsProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const location = useLocation()
  // The functions handed out never change, or else every card would be drawn again at each step through the page.
  const now = useRef({ navigate, location })
  useEffect(() => {
    now.current = { navigate, location }
  })

  const dialogs = useMemo<Dialogs>(
    () => ({
      open(address) {
        const { navigate, location } = now.current
        const before = dialogAt(location.search)
        const replace = before !== null // one dialog leads to another: back closes both
        const state = replace ? location.state : { openedHere: true }
        navigate({ search: withDialog(location.search, leadingBack(address, before)) }, { replace, state })
      },
      close() {
        const { navigate, location } = now.current
        if (dialogAt(location.search) === null) return
        if (location.state?.openedHere) navigate(-1)
        else navigate({ search: withoutDialog(location.search) }, { replace: true })
      },
      go(to) {
        now.current.navigate(to)
      },
    }),
    [],
  )
  return <DialogsContext value={dialogs}>{children}</DialogsContext>
}

export const useDialogs = () => use(DialogsContext)
