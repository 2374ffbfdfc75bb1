import { type ComponentType, useEffect, useState } from 'react'
import { useDialogs } from '@/hooks/useDialogs'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** A dialog's code, and the dialog once that is loaded. */
export type Lazy<P> = { load: () => Promise<ComponentType<P>>; loaded: ComponentType<P> | null }

export function lazily<P>(load: () => Promise<ComponentType<P>>): Lazy<P> {
  const lazy: Lazy<P> = {
    loaded: null,
    async load() {
      lazy.loaded = await load()
      return lazy.loaded
    },
  }
  return lazy
}

/** Loads a dialog's code. Unlike React.lazy it retries on the next use after a failure. */
export function useLoaded<P>(lazy: Lazy<P>): ComponentType<P> | null {
  const [Loaded, setLoaded] = useState<ComponentType<P> | null>(() => lazy.loaded)
  const { close } = useDialogs()
  useEffect(() => {
    // It can have come since the component was drawn.
    if (lazy.loaded) return setLoaded(() => lazy.loaded)
    let stale = false
    lazy.load().then(
      (component) => !stale && setLoaded(() => component),
      () => {
        if (stale) return
        showToast(t('app_load_failed'), 'error')
        close()
      },
    )
    return () => {
      stale = true
    }
  }, [lazy, close])
  return Loaded
}
