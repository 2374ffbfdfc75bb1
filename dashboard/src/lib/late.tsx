import { type ComponentType, useState } from 'react'
import { lazy } from '@/lib/loaded'

/** A component whose code is loaded later, within a Suspense. Once the code is there it is rendered without a pause for it. It
 * never takes the place of itself: what was rendered while it loaded keeps its state and the focus. */
export function late<P extends object>(load: () => Promise<ComponentType<P>>) {
  let Loaded: ComponentType<P> | undefined
  const fetch = async () => {
    Loaded = await load()
    return Loaded
  }
  const Lazy = lazy(async () => ({ default: await fetch() })) as unknown as ComponentType<P>
  function Late(props: P) {
    const [Component] = useState(() => Loaded ?? Lazy)
    return <Component {...props} />
  }
  return Object.assign(Late, {
    load: fetch,
    /** Loads the code before it is shown. A failure shows when the component itself is. */
    prefetch: () => void fetch().catch(() => {}),
  })
}
