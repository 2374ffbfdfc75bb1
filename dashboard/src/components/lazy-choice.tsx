import { ChevronDown } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { cn } from '@/lib/cn'
import { lazy } from '@/lib/loaded'

const load = () => import('./choice')
const Choice = lazy(load)

type Props = {
  'aria-label': string
  /** Of the button, and of what takes its place. */
  className: string
  options: readonly { value: string; label: string }[]
  value: string
  onValue: (value: string) => void
  /** Stands for the choice where there is no room for its words. */
  icon?: ReactNode
}

/** One of a few choices. What opens its list is loaded when the pointer or the focus comes near, and takes the place of a button of
 * the same shape. */
export function LazyChoice({ className, ...props }: Props) {
  const { icon, options, value } = props
  const [used, setUsed] = useState(false)
  const near = () => void load().catch(() => {})
  const chosen = options.find((option) => option.value === value)?.label
  const face = (
    <button
      type="button"
      role="combobox"
      aria-label={props['aria-label']}
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-controls="content"
      onPointerEnter={near}
      onFocus={near}
      onClick={() => setUsed(true)}
      onKeyDown={(event) => event.key.startsWith('Arrow') && setUsed(true)}
      className={cn(
        'flex h-10 items-center justify-between gap-2 whitespace-nowrap rounded-md border border-input bg-card px-3 transition-colors hover:border-foreground/50 pointer-coarse:h-11',
        className,
      )}
    >
      {icon}
      {icon ? <span className="sr-only">{chosen}</span> : chosen}
      {!icon && <ChevronDown aria-hidden className="size-4 text-muted-foreground" />}
    </button>
  )
  if (!used) return face
  return (
    <Suspense fallback={face}>
      <Choice {...props} className={className} opened />
    </Suspense>
  )
}
