import { useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { canUndo, undoSale, undoWindow } from '@/api/undo'
import { Button } from './ui/button'

/** Undoes an accept or a logged sale. It disappears when that is not possible any more. */
export function UndoSale({ id, at, what }: { id: number; at: string; what: string }) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(canUndo(at))
  const [pending, setPending] = useState(false)
  useEffect(() => {
    if (!open) return
    const timer = setTimeout(() => setOpen(false), new Date(at).getTime() + undoWindow - Date.now())
    return () => clearTimeout(timer)
  }, [open, at])
  if (!open) return null
  async function undo() {
    setPending(true)
    await undoSale(queryClient, id)
    setPending(false)
  }
  return (
    <Button variant="ghost" size="sm" className="pointer-coarse:h-11" disabled={pending} onClick={undo}>
      <Undo2 /> {pending ? 'Undoing...' : 'Undo'}
      <span className="sr-only"> {what}</span>
    </Button>
  )
}
