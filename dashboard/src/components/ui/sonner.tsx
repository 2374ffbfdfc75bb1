import { CircleAlert, CircleCheck, Info, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { ComponentProps, CSSProperties } from 'react'
import { Toaster as Sonner } from 'sonner'

const icons = {
  success: <CircleCheck className="size-4" />,
  info: <Info className="size-4" />,
  warning: <TriangleAlert className="size-4" />,
  error: <CircleAlert className="size-4 text-destructive" />,
  loading: <LoaderCircle className="size-4 animate-spin" />,
}

// Sonner draws with these. They follow the theme by themselves.
const colours = {
  '--normal-bg': 'var(--popover)',
  '--normal-text': 'var(--popover-foreground)',
  '--normal-border': 'var(--border)',
  '--border-radius': 'var(--radius-lg)',
  fontFamily: 'inherit', // the page's, not the system's
} as CSSProperties

/** Shows what `toast()` of sonner says. */
export function Toaster({ style, ...props }: ComponentProps<typeof Sonner>) {
  return (
    <div data-slot="toaster" className="contents">
      <Sonner className="toaster group" icons={icons} style={{ ...colours, ...style }} {...props} />
    </div>
  )
}
