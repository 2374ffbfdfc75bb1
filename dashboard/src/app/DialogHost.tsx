import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, use, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { Navigate, useLocation } from 'react-router'
import { ApiError } from '@/api/client'
import { orderQuery } from '@/api/orders'
import type { Order, User } from '@/api/types'
import { DialogOpening, overlayClass } from '@/components/dialog-frame'
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
import { showToast } from '@/lib/toasts'
import { DialogSkeleton } from './DialogSkeleton'
import { type Lazy, lazily, useLoaded } from './lazily'

const closeAnimation = 200 // ms

type PlainProps = DialogProps & { mode?: 'sign-up' | 'sign-in'; returnTo?: string; outcome?: string }

// Dialogs and their forms are loaded on demand, or ahead of it: in a few files, which vite.config.ts names.
const plain: Partial<Record<DialogName, Lazy<PlainProps>>> = {
  post: lazily(() => import('@/features/orders/form/PostDialog').then((m) => m.default)),
  'sign-in': lazily(() => import('@/features/session/SignInDialog').then((m) => m.default)),
  data: lazily(() => import('@/features/session/DataDialog').then((m) => m.default)),
  skills: lazily(() => import('@/features/finding/SkillsDialog').then((m) => m.default)),
  notices: lazily(() => import('@/features/notices/NoticesDialog').then((m) => m.default)),
  commands: lazily(() => import('@/features/commands/CommandMenu').then((m) => m.default)),
}
const aboutOrder: Partial<Record<DialogName, Lazy<OrderDialogProps>>> = {
  edit: lazily(() => import('@/features/orders/form/EditDialog').then((m) => m.default)),
  close: lazily(() => import('@/features/orders/card/ConfirmDialog').then((m) => m.CloseDialog)),
  delete: lazily(() => import('@/features/orders/card/ConfirmDialog').then((m) => m.DeleteDialog)),
  offer: lazily(() => import('@/features/offers/OfferDialog').then((m) => m.default)),
  offers: lazily(() => import('@/features/offers/OffersDialog').then((m) => m.default)),
  report: lazily(() => import('@/features/moderation/AboutOrderDialogs').then((m) => m.ReportDialog)),
  remove: lazily(() => import('@/features/moderation/AboutOrderDialogs').then((m) => m.RemoveDialog)),
  block: lazily(() => import('@/features/moderation/AboutOrderDialogs').then((m) => m.BlockDialog)),
  receipts: lazily(() => import('@/features/offers/ReceiptsDialog').then((m) => m.default)),
  sales: lazily(() => import('@/features/sales/SalesDialog').then((m) => m.default)),
}

const visitorOpens = [aboutOrder.offer, plain['sign-in']]
const userOpens = [aboutOrder.offer, plain.post]

/** Shows the dialog named in the URL. Those that the reader likely opens next are loaded ahead. */
export default function DialogHost({ ahead }: { ahead: boolean }) {
  useLoadedAhead(ahead)
  const { search } = useLocation()
  const address = dialogAt(search)
  const shown = useLastDialog(address)
  const { count, opener } = useOpenings(address !== null)
  // They were dialogs in older programs.
  if (address?.name === 'searches' || address?.name === 'watches') return <Navigate replace to="/selling/saved" />
  if (!shown) return null
  const key = `${count} ${shown.name} ${shown.request ?? ''}`
  const orderDialog = aboutOrder[shown.name]
  if (orderDialog && shown.request) {
    return (
      <OrderDialog
        key={key}
        lazy={orderDialog}
        address={shown}
        id={shown.request}
        open={address !== null}
        opener={opener}
      />
    )
  }
  const lazy = plain[shown.name]
  return lazy ? <PlainDialog key={key} lazy={lazy} address={shown} open={address !== null} opener={opener} /> : null
}

/** Keeps the last dialog mounted while its close animation runs. */
function useLastDialog(address: DialogAddress | null): DialogAddress | null {
  const name = JSON.stringify(address)
  const [last, setLast] = useState(address)
  useEffect(() => {
    const now = JSON.parse(name) as DialogAddress | null
    if (now) {
      setLast(now)
      return
    }
    const timer = setTimeout(() => setLast(null), closeAnimation)
    return () => clearTimeout(timer)
  }, [name])
  return address ?? last
}

/** Counts how often a dialog was opened: one that is opened again while it closes starts over. Remembers what had the
 * focus then; a dialog that leads to another hands it on. */
function useOpenings(open: boolean) {
  const [seen, setSeen] = useState({ open, count: 0, opener: document.activeElement })
  if (seen.open !== open) {
    setSeen({ open, count: seen.count + Number(open), opener: open ? document.activeElement : seen.opener })
  }
  return seen
}

/** What had the focus when a dialog was opened, and whether its skeleton was shown first. */
function useOpening(opener: Element | null, waits: boolean) {
  const [framed, setFramed] = useState(false)
  if (waits && !framed) setFramed(true)
  return useMemo(() => ({ opener, framed, scrim: true }), [opener, framed])
}

/** Shows the scrim at once, and the dialog with the next paint: on a slow phone a form takes a while to draw. A frame that was
 * shown first stays until the dialog is there. */
function AfterScrim({ children }: { children: ReactNode }) {
  const { framed } = use(DialogOpening)
  const drawn = useDeferredValue(true, framed)
  return drawn ? children : createPortal(<div className={overlayClass} />, document.body)
}

type HostProps<P> = { lazy: Lazy<P>; address: DialogAddress; open: boolean; opener: Element | null }

function PlainDialog({ lazy, address, open, opener }: HostProps<PlainProps>) {
  const Loaded = useLoaded(lazy)
  const { close, open: openDialog } = useDialogs()
  const { pathname, search } = useLocation()
  const { user, isPending } = useMe()
  const needsUser = ['post', 'notices', 'data'].includes(address.name)

  useEffect(() => {
    if (open && needsUser && !isPending && !user) openDialog({ name: 'sign-in' })
  }, [open, needsUser, isPending, user, openDialog])

  const ready = Loaded !== null && !isPending
  const opening = useOpening(opener, open && !ready)
  if (needsUser && !isPending && !user) return null
  if (!ready) return open && <DialogSkeleton name={address.name} mode={address.mode} opener={opener} />
  const { mode, outcome, next, request } = address
  // After signing in the user returns to the same page and dialog, where the draft is restored.
  // A private link is not handed on.
  const back = pathname.startsWith('/offer/') ? '/' : pathname
  const returnTo = back + (next ? withDialog(search, { name: next, request }) : withoutDialog(search))
  return (
    <DialogOpening value={opening}>
      <AfterScrim>
        <Loaded open={open} onClose={close} user={user} mode={mode} outcome={outcome} returnTo={returnTo} />
      </AfterScrim>
    </DialogOpening>
  )
}

/** Other users offer on a request and report it, moderators remove and block; everything else is
 * for its owner. */
function mayOpen(name: DialogName, order: Order, user: User | null): boolean {
  const own = order.userId === user?.id
  if (name === 'remove' || name === 'block') return !own && user?.moderator === true
  return own !== (name === 'offer' || name === 'report')
}

function OrderDialog({ lazy, address, id, open, opener }: HostProps<OrderDialogProps> & { id: number }) {
  const Loaded = useLoaded(lazy)
  const { close } = useDialogs()
  const { user, isPending } = useMe()
  const { data: order, error } = useQuery(orderQuery(useQueryClient(), id))
  const notAllowed = order !== undefined && !isPending && !mayOpen(address.name, order, user)
  const gone = error instanceof ApiError && !order

  useEffect(() => {
    if (!open) return
    if (gone) showToast(error.message, 'error')
    if (gone || notAllowed) close()
  }, [open, gone, notAllowed, error, close])

  const ready = Loaded !== null && order !== undefined && !isPending
  const opening = useOpening(opener, open && !ready)
  if (notAllowed || gone) return null
  if (!ready) return open && <DialogSkeleton name={address.name} itemName={order?.itemName} opener={opener} />
  return (
    <DialogOpening value={opening}>
      <AfterScrim>
        <Loaded open={open} onClose={close} user={user} order={order} />
      </AfterScrim>
    </DialogOpening>
  )
}

/** Loads the dialogs that the reader likely opens next, so that they open without delay, even if the connection is lost
 * meanwhile. Visitors offer, users offer and post; the rest is loaded with the press. */
function useLoadedAhead(ahead: boolean) {
  const { user, isPending } = useMe()
  const likely = user ? userOpens : visitorOpens
  useEffect(() => {
    if (!ahead || isPending) return
    for (const lazy of likely) lazy?.load().catch(() => {})
  }, [ahead, isPending, likely])
}
