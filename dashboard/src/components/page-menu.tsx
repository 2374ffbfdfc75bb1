import { type ReactNode, use, useRef } from 'react'
import { cn } from '@/lib/cn'
import { OpenedWithKey } from './lazy-menu'
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from './ui/dropdown-menu'

type Props = {
  button: ReactNode
  /** Whether it is open when it mounts. */
  opened?: boolean
  className?: string
  /** The items. What `choose` is given runs after the menu has returned the focus, so that a dialog returns the focus too. */
  children: (choose: (next: () => void) => () => void) => ReactNode
}

/** A menu of the page. It is within the main landmark, for assistive technology. */
export function PageMenu({ button, opened = false, className, children }: Props) {
  const chosen = useRef<(() => void) | null>(null)
  const first = useRef(use(OpenedWithKey)) // Radix did not see the key
  return (
    <DropdownMenu modal={false} defaultOpen={opened}>
      <DropdownMenuTrigger asChild>{button}</DropdownMenuTrigger>
      <DropdownMenuContent
        align="end"
        container={document.getElementById('content')}
        className={cn('min-w-52', className)}
        onFocus={({ target, currentTarget }) => {
          if (!first.current || target !== currentTarget) return
          first.current = false
          currentTarget.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
        }}
        onCloseAutoFocus={() => {
          const next = chosen.current
          chosen.current = null
          if (next) setTimeout(next)
        }}
      >
        {children((next) => () => {
          chosen.current = next
        })}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
