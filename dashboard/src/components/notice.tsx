import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { Alert, AlertDescription } from './ui/alert'

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
    <Alert
      role={tone === 'error' ? 'alert' : 'status'}
      className={cn('w-auto rounded-md border-transparent px-3 py-2.5 has-[>svg]:gap-x-2', style, className)}
    >
      <Icon aria-hidden />
      <AlertDescription className="block min-w-0 text-current">{children}</AlertDescription>
    </Alert>
  )
}
