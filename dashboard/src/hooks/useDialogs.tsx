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
  | 'sign-in'
  | 'notices'
  | 'filters'

export type DialogAddress = {
  name: DialogName
  request?: number
  mode?: 'sign-up' | 'sign-in'
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

const names: readonly string[] = [
  'post',
  'edit',
  'offer',
  'offers',
  'sales',
  'close',
  'delete',
  'sign-in',
  'notices',
  'filters',
] satisfies DialogName[]

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
  const name = params.get('dialog')
  const outcome = params.get('signin')
  if (outcome) return { name: 'sign-in', mode: name === 'post' ? 'sign-up' : 'sign-in', outcome }
  if (!name || !names.includes(name)) return null
  const request = Number(params.get('request'))
  return {
    name: name as DialogName,
    ...(Number.isSafeInteger(request) && request > 0 ? { request } : {}),
    ...(params.get('mode') === 'sign-up' ? { mode: 'sign-up' as const } : {}),
  }
}

/** The address without its dialog. */
export function withoutDialog(search: string): string {
  const params = new URLSearchParams(search)
  for (const name of ['dialog', 'request', 'mode', 'signin']) params.delete(name)
  const rest = params.toString()
  return rest ? `?${rest}` : ''
}

function withDialog(search: string, { name, request, mode }: DialogAddress): string {
  const params = new URLSearchParams(withoutDialog(search))
  params.set('dialog', name)
  if (request) params.set('request', String(request))
  if (mode) params.set('mode', mode)
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
        const replace = dialogAt(location.search) !== null // one dialog leads to another: back closes both
        const state = replace ? location.state : { openedHere: true }
        navigate({ search: withDialog(location.search, address) }, { replace, state })
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
