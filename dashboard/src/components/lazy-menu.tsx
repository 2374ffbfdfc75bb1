import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { Button } from './ui/button'

/** What the button of a menu passes on to the element. */
export type MenuButtonProps = Partial<ComponentProps<typeof Button>>

/** A menu whose code is loaded with the first press, or when the pointer or the focus reaches its button. It is open when it
 * mounts. */
export function lazyMenu<P extends { children: ReactNode }>(load: () => Promise<{ default: ComponentType<P> }>) {
  const Menu = lazy(load) as unknown as ComponentType<P>
  const prefetch = () => void load().catch(() => {})

  return function LazyMenu({
    button,
    ...props
  }: Omit<P, 'children'> & { button: (props: MenuButtonProps) => ReactNode }) {
    const [wanted, setWanted] = useState(false)
    const waiting = button({
      'aria-haspopup': 'menu',
      onPointerEnter: prefetch,
      onFocus: prefetch,
      onClick: () => setWanted(true),
    })
    if (!wanted) return waiting
    return (
      <Suspense fallback={waiting}>
        <Menu {...(props as unknown as P)}>{button({})}</Menu>
      </Suspense>
    )
  }
}
