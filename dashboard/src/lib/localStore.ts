/** A list that is kept in this browser. It can be subscribed to, and tabs follow one another. */
type LocalStore<T> = {
  get: () => readonly T[]
  set: (list: readonly T[]) => void
  subscribe: (listener: () => void) => () => void
}

/** Returns the list under a key. What `isValid` does not accept is left out. Where storage is blocked it lasts as long as the page. */
export function localStore<T>(key: string, isValid: (value: unknown) => value is T): LocalStore<T> {
  const listeners = new Set<() => void>()
  let text: string | null | undefined
  let list: readonly T[] = []
  let blocked = false

  function load() {
    let now: string | null = null
    try {
      now = localStorage.getItem(key)
    } catch {
      return
    }
    if (blocked || now === text) return
    text = now
    try {
      const stored: unknown = JSON.parse(now ?? '[]')
      list = Array.isArray(stored) ? stored.filter(isValid) : []
    } catch {
      list = []
    }
  }

  return {
    get() {
      load()
      return list
    },
    set(next) {
      list = next
      text = next.length > 0 ? JSON.stringify(next) : null
      try {
        if (text === null) localStorage.removeItem(key)
        else localStorage.setItem(key, text)
      } catch {
        blocked = true
      }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      const onStorage = (event: StorageEvent) => event.key === key && listener()
      listeners.add(listener)
      window.addEventListener('storage', onStorage)
      return () => {
        listeners.delete(listener)
        window.removeEventListener('storage', onStorage)
      }
    },
  }
}
