import { useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { undoClose, undoOffer, undoSale } from '@/api/undo'
import { canUndo, undoWindow } from '@/lib/undo'
import { Button } from './ui/button'

type Props = {
  id: number
  /** When it was done. */
  at: string
  /** What is undone, for screen readers. */
  what: string
  className?: string
  onUndone?: () => void
}

/** The button may be gone with what it undid: the focus then goes to the page's content. */
function keepFocus(button: HTMLButtonElement | null) {
  if (document.activeElement !== document.body) return
  const next = button?.isConnected ? button : document.getElementById('content')
  next?.focus({ preventScroll: true })
}

/** A button that undoes something. It disappears when that is not possible any more. */
function undoButton(undo: typeof undoSale) {
  return function UndoButton({ id, at, what, className = '', onUndone }: Props) {
    const queryClient = useQueryClient()
    const [open, setOpen] = useState(canUndo(at))
    const [pending, setPending] = useState(false)
    const button = useRef<HTMLButtonElement>(null)
    useEffect(() => {
      if (!open) return
      const timer = setTimeout(() => setOpen(false), new Date(at).getTime() + undoWindow - Date.now())
      return () => clearTimeout(timer)
    }, [open, at])
    if (!open) return null
    async function run() {
      setPending(true)
      const done = await undo(queryClient, id)
      setPending(false)
      if (done) onUndone?.()
      requestAnimationFrame(() => keepFocus(button.current))
    }
    return (
      <Button
        ref={button}
        variant="ghost"
        size="sm"
        aria-label={`Undo ${what}`}
        className={`pointer-coarse:h-11 ${className}`}
        disabled={pending}
        onClick={run}
      >
        <Undo2 /> {pending ? 'Undoing...' : 'Undo'}
      </Button>
    )
  }
}

/** Undoes an accept or a logged sale. */
export const UndoSale = undoButton(undoSale)
/** Undoes that the user closed a request. */
export const UndoClose = undoButton(undoClose)
/** Undoes that the user declined or withdrew an offer. */
export const UndoOffer = undoButton(undoOffer)
