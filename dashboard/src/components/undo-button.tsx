import { useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import type { Undo } from '@/api/types'
import { undo } from '@/api/undo'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { t } from '@/lib/texts'
import { Button } from './ui/button'

type Props = Pick<ComponentProps<typeof Button>, 'variant' | 'className'> & {
  act: Undo
  /** What is undone, for screen readers. */
  what: string
  onUndone?: () => void
  /** Without it a toast says why it failed. */
  onFailed?: (error: unknown) => void
}

/** The button may be gone with what it undid: the focus then goes to the page's content. */
function keepFocus(button: HTMLButtonElement | null) {
  if (document.activeElement !== document.body) return
  const next = button?.isConnected ? button : document.getElementById('content')
  next?.focus({ preventScroll: true })
}

const left = ({ until }: Undo) => (until === null ? Number.POSITIVE_INFINITY : new Date(until).getTime() - Date.now())

/** A button that undoes an act. It disappears when that is not possible any more. */
export function UndoButton({ act, what, variant = 'ghost', className = '', onUndone, onFailed }: Props) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const [open, setOpen] = useState(left(act) > 0)
  const [pending, setPending] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open || left(act) > 3_600_000) return
    const timer = setTimeout(() => setOpen(false), left(act))
    return () => clearTimeout(timer)
  }, [open, act])
  if (!open) return null
  async function run() {
    setPending(true)
    const done = await undo(queryClient, act, { key: writes.keyFor([act.kind, act.id]), onFailed })
    setPending(false)
    if (done) onUndone?.()
    requestAnimationFrame(() => keepFocus(button.current))
  }
  return (
    <Button
      ref={button}
      variant={variant}
      size="sm"
      aria-label={t('parts_undo', { what })}
      className={`pointer-coarse:h-11 ${className}`}
      disabled={pending}
      onClick={run}
    >
      <Undo2 /> {pending ? t('parts_undoing') : t('common_undo')}
    </Button>
  )
}
