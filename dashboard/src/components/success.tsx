import { CircleCheckBig } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { highlight } from '@/lib/highlights'

const shownFor = 2000 // ms

type Props = {
  title: string
  children?: ReactNode
  /** The request whose card is highlighted afterwards. */
  orderId?: number
  onDone: () => void
}

/** Shown in a dialog for two seconds. Then the dialog closes and the changed card is highlighted. */
export function Success({ title, children, orderId, onDone }: Props) {
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  useEffect(() => {
    const timer = setTimeout(() => {
      done.current()
      if (orderId) highlight(orderId)
    }, shownFor)
    return () => clearTimeout(timer)
  }, [orderId])
  return (
    <div role="status" className="flex flex-col items-center gap-3 px-6 py-14 text-center">
      <CircleCheckBig aria-hidden className="zoom-in-75 size-12 animate-in text-good duration-200" strokeWidth={1.5} />
      <p className="text-balance font-display text-lg">{title}</p>
      {children && <div className="text-muted-foreground text-sm">{children}</div>}
    </div>
  )
}
