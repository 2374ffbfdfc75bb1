import { cn } from '@/lib/cn'

type Props = { progress: number; label: string; className?: string }

/** Returns the colour of a progress bar: green from 70, yellow from 40, otherwise red. */
export function progressTone(progress: number): 'good' | 'fair' | 'poor' {
  if (progress >= 70) return 'good'
  return progress >= 40 ? 'fair' : 'poor'
}

const colors = { good: 'bg-good', fair: 'bg-fair', poor: 'bg-poor' }

export function ProgressBar({ progress, label, className }: Props) {
  const tone = progressTone(progress)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={progress}
      data-tone={tone}
      className={cn('h-2 overflow-hidden rounded-full bg-muted forced-colors:border', className)}
    >
      <div
        className={cn(
          'h-full rounded-full transition-[width] duration-200 forced-colors:bg-[Highlight]',
          progress > 0 && 'min-w-2',
          colors[tone],
        )}
        style={{ width: `${progress}%` }}
      />
    </div>
  )
}
