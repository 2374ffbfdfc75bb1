import { type ComponentProps, type ComponentType, createContext, type ReactNode, Suspense, useState } from 'react'
import { lazy } from '@/lib/loaded'
import type { Button } from './ui/button'

/** What the button of a menu passes on to the element. */
export type MenuButtonProps = Partial<ComponentProps<typeof Button>>

/** Whether a menu that is open when it mounts was opened with a key: then its first item has the focus. */
export const OpenedWithKey = createContext(false)

/** A menu whose code is loaded with the first press, or when the pointer or the focus reaches its button. It is open when it
 * mounts. */
export function lazyMenu<P extends { children: ReactNode }>(load: () => Promise<{ default: ComponentType<P> }>) {
  const Menu = lazy(load) as unknown as ComponentType<P>
  const prefetch = () => void load().catch(() => {})

  return function LazyMenu({
    button,
    ...props
  }: Omit<P, 'children'> & { button: (props: MenuButtonProps) => ReactNode }) {
    const [wanted, setWanted] = useState<'key' | 'pointer'>()
    const waiting = button({
      'aria-haspopup': 'menu',
      onPointerEnter: prefetch,
      onFocus: prefetch,
      onClick: (event) => setWanted(event.detail === 0 ? 'key' : 'pointer'),
    })
    if (!wanted) return waiting
    return (
      <Suspense fallback={waiting}>
        <OpenedWithKey value={wanted === 'key'}>
          <Menu {...(props as unknown as P)}>{button({})}</Menu>
        </OpenedWithKey>
      </Suspense>
    )
  }
}
