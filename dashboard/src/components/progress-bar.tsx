import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'
import { Progress } from './ui/progress'

type Props = { progress: number; label: string; className?: string }

/** Returns the colour of a progress bar: green from 70, yellow from 40, otherwise red. */
function progressTone(progress: number): 'good' | 'fair' | 'poor' {
  if (progress >= 70) return 'good'
  return progress >= 40 ? 'fair' : 'poor'
}

const colors = {
  good: '*:data-[slot=progress-indicator]:bg-good',
  fair: '*:data-[slot=progress-indicator]:bg-fair',
  poor: '*:data-[slot=progress-indicator]:bg-poor',
}

// Less could not be seen.
const leastShown = 6

/** How much of a request is sold. Something is always more than nothing, and is drawn so. */
export function ProgressBar({ progress, label, className }: Props) {
  const tone = progressTone(progress)
  return (
    <Progress
      aria-label={label}
      value={progress > 0 ? Math.max(progress, leastShown) : 0}
      aria-valuenow={progress}
      aria-valuetext={t('parts_percent', { percent: String(progress) })}
      data-tone={tone}
      className={cn(colors[tone], 'forced-colors:border', className)}
    />
  )
}
