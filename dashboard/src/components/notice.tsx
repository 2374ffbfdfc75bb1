import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'

type Props = { tone?: 'error' | 'success' | 'info'; className?: string; children: ReactNode }

const tones = {
  error: { icon: CircleAlert, style: 'bg-destructive-soft text-destructive' },
  success: { icon: CircleCheck, style: 'bg-accent text-accent-foreground' },
  info: { icon: Info, style: 'bg-muted text-foreground' },
}

/** An important message in a dialog or on a page. */
export function Notice({ tone = 'error', className, children }: Props) {
  const { icon: Icon, style } = tones[tone]
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={cn('flex items-start gap-2 rounded-md px-3 py-2.5 text-sm', style, className)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
