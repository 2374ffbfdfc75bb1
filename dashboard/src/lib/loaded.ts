import { lazy as lazyOf } from 'react'

const retryAfter = 3000 // ms
const triesOnline = 2

/** Loads code. Without a connection it waits for one; with one it fails after so many tries, because a newer program no longer
 * has this code. */
export async function loaded<T>(load: () => Promise<T>, tries = triesOnline): Promise<T> {
  for (let left = tries; ; left -= Number(navigator.onLine)) {
    try {
      return await load()
    } catch (error) {
      if (left <= 0) throw error
      await new Promise((retry) => setTimeout(retry, retryAfter))
    }
  }
}

/** React's lazy, with what loaded does: React itself keeps a failure for as long as the page is open. */
export const lazy: typeof lazyOf = (load) => lazyOf(() => loaded(load))
