import { CloudOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ConnectionState } from '@/api/events'
import { useDelayed } from '@/hooks/useDelayed'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

const noticeDelay = 1500 // ms; shorter interruptions show no notice

/** Tells the user when the connection to the server is lost and when it is back. */
export function ConnectionNotice({ connection }: { connection: ConnectionState }) {
  const lost = useDelayed(connection === 'lost', noticeDelay)
  const wasLost = useRef(false)
  useEffect(() => {
    if (lost) wasLost.current = true
    else if (wasLost.current && connection === 'live') {
      wasLost.current = false
      showToast(t('app_back_online'))
    }
  }, [lost, connection])
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 z-30 flex justify-center px-4 max-sm:bottom-[calc(1rem+var(--bottom-bar))] sm:top-16"
    >
      {lost && (
        <p className="fade-in-0 flex animate-in items-center gap-2 rounded-full border max-sm:rounded-lg border-high bg-high-soft px-4 py-2 text-high-foreground text-sm shadow-lifted">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          {t('app_offline')}
        </p>
      )}
    </div>
  )
}
