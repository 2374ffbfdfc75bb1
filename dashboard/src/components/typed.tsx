import type { ReactNode } from 'react'

/** A piece of what a user typed within a line of the page: its own direction, apart from the words around it. A block that is
 * typed as a whole has dir="auto" itself. */
export function Typed({ children }: { children: ReactNode }) {
  return <bdi dir="auto">{children}</bdi>
}
