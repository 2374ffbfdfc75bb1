import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ApiError } from '@/api/client'
import { orderQuery } from '@/api/orders'
import type { Order, User } from '@/api/types'
import {
  type DialogAddress,
  type DialogName,
  type DialogProps,
  dialogAt,
  type OrderDialogProps,
  useDialogs,
  withDialog,
  withoutDialog,
} from '@/hooks/useDialogs'
import { useMe } from '@/hooks/useMe'
import { say } from '@/lib/toasts'

const leaving = 200 // ms that a closing dialog takes to leave

type Loader<P> = () => Promise<ComponentType<P>>

type PlainProps = DialogProps & { mode?: 'sign-up' | 'sign-in'; returnTo?: string; outcome?: string }

// Dialogs and their forms are loaded when needed, or when the page has nothing else to do.
const plain: Partial<Record<DialogName, Loader<PlainProps>>> = {
  post: () => import('@/features/orders/PostDialog').then((m) => m.default),
  'sign-in': () => import('@/features/session/SignInDialog').then((m) => m.default),
  data: () => import('@/features/session/DataDialog').then((m) => m.default),
  notices: () => import('@/features/notices/NoticesDialog').then((m) => m.default),
}
const aboutOrder: Partial<Record<DialogName, Loader<OrderDialogProps>>> = {
  edit: () => import('@/features/orders/EditDialog').then((m) => m.default),
  close: () => import('@/features/orders/ConfirmDialog').then((m) => m.CloseDialog),
  delete: () => import('@/features/orders/ConfirmDialog').then((m) => m.DeleteDialog),
  offer: () => import('@/features/offers/OfferDialog').then((m) => m.default),
  offers: () => import('@/features/offers/OffersDialog').then((m) => m.default),
  report: () => import('@/features/moderation/AboutOrderDialogs').then((m) => m.ReportDialog),
  remove: () => import('@/features/moderation/AboutOrderDialogs').then((m) => m.RemoveDialog),
  block: () => import('@/features/moderation/AboutOrderDialogs').then((m) => m.BlockDialog),
  sales: () => import('@/features/sales/SalesDialog').then((m) => m.default),
}

/** Shows the dialog that the address names. */
export function DialogHost() {
  const { search } = useLocation()
  const address = dialogAt(search)
  const shown = useLingering(address)
  if (!shown) return null
  const key = `${shown.name} ${shown.request ?? ''}`
  const loadOrderDialog = aboutOrder[shown.name]
  if (loadOrderDialog && shown.request) {
    return <OrderDialog key={key} load={loadOrderDialog} address={shown} id={shown.request} open={address !== null} />
  }
  const load = plain[shown.name]
  return load ? <PlainDialog key={key} load={load} address={shown} open={address !== null} /> : null
}

/** Keeps the last dialog for the moment that it takes to leave. */
function useLingering(address: DialogAddress | null): DialogAddress | null {
  const name = JSON.stringify(address)
  const [last, setLast] = useState(address)
  useEffect(() => {
    const now = JSON.parse(name) as DialogAddress | null
    if (now) {
      setLast(now)
      return
    }
    const timer = setTimeout(() => setLast(null), leaving)
    return () => clearTimeout(timer)
  }, [name])
  return address ?? last
}

/** Loads a dialog's code. Unlike React.lazy it tries again the next time after a failure. */
function useLoaded<P>(load: Loader<P>): ComponentType<P> | null {
  const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null)
  const { close } = useDialogs()
  useEffect(() => {
    let stale = false
    load().then(
      (component) => !stale && setLoaded(() => component),
      () => {
        if (stale) return
        say('That could not be loaded. Look at your connection and try again.', 'error')
        close()
      },
    )
    return () => {
      stale = true
    }
  }, [load, close])
  return Loaded
}

type HostProps<P> = { load: Loader<P>; address: DialogAddress; open: boolean }

function PlainDialog({ load, address, open }: HostProps<PlainProps>) {
  const Loaded = useLoaded(load)
  const { close, open: openDialog } = useDialogs()
  const { pathname, search } = useLocation()
  const { user, isPending } = useMe()
  const needsUser = address.name === 'post' || address.name === 'notices' || address.name === 'data'

  useEffect(() => {
    if (open && needsUser && !isPending && !user) openDialog({ name: 'sign-in' })
  }, [open, needsUser, isPending, user, openDialog])

  if (!Loaded || isPending || (needsUser && !user)) return null
  const { mode, outcome, next, request } = address
  // Whoever was at something is brought back to it: in a form the draft waits.
  const returnTo = pathname + (next ? withDialog(search, { name: next, request }) : withoutDialog(search))
  return <Loaded open={open} onClose={close} user={user} mode={mode} outcome={outcome} returnTo={returnTo} />
}

/** Others offer on a request and report it, moderators remove and block; the rest is for its owner. */
function mayOpen(name: DialogName, order: Order, user: User | null): boolean {
  const own = order.userId === user?.id
  if (name === 'remove' || name === 'block') return !own && user?.moderator === true
  return own !== (name === 'offer' || name === 'report')
}

function OrderDialog({ load, address, id, open }: HostProps<OrderDialogProps> & { id: number }) {
  const Loaded = useLoaded(load)
  const { close } = useDialogs()
  const { user, isPending } = useMe()
  const { data: order, error } = useQuery(orderQuery(useQueryClient(), id))
  const notForReader = order !== undefined && !isPending && !mayOpen(address.name, order, user)
  const gone = error instanceof ApiError && !order

  useEffect(() => {
    if (!open) return
    if (gone) say(error.message, 'error')
    if (gone || notForReader) close()
  }, [open, gone, notForReader, error, close])

  if (!Loaded || !order || isPending || notForReader) return null
  return <Loaded open={open} onClose={close} user={user} order={order} />
}

/** Fetches the dialogs ahead, so that they open at once even where the connection has gone meanwhile. */
export function loadDialogsAhead() {
  for (const load of [...Object.values(plain), ...Object.values(aboutOrder)]) load().catch(() => {})
}
