import type { ReactNode } from 'react'

/** A part of a text for screen readers only. */
export const hidden = (text: ReactNode) => <span className="sr-only">{text}</span>
