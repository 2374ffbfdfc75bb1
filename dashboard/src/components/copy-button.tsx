import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '@/lib/clipboard'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

type Props = { text: string; label: string; tabIndex?: number; className?: string }

/** Copies a text and confirms it. */
export function CopyButton({ text, label, tabIndex, className }: Props) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    const done = await copyText(text)
    setCopied(done)
    showToast(done ? t('parts_copied', { text }) : t('parts_not_copied', { text }))
  }

  const Icon = copied ? Check : Copy
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      tabIndex={tabIndex}
      onClick={copy}
      className={cn(
        'touch inline-grid size-7 shrink-0 place-items-center rounded-md text-muted-foreground transition-colors hover:bg-muted hover:text-foreground',
        className,
      )}
    >
      <Icon aria-hidden className={cn('size-3.5', copied && 'text-good')} />
    </button>
  )
}
