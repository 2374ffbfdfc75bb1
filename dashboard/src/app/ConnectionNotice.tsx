import { CloudOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Link } from '@/api/events'
import { useDelayed } from '@/hooks/useDelayed'
import { say } from '@/lib/toasts'

const patience = 1500 // ms; a shorter break is not worth a word

/** Says when the board has lost touch with the market, and when it has found it again. */
export function ConnectionNotice({ link }: { link: Link }) {
  const lost = useDelayed(link === 'lost', patience)
  const wasLost = useRef(false)
  useEffect(() => {
    if (lost) wasLost.current = true
    else if (wasLost.current && link === 'live') {
      wasLost.current = false
      say('Back online. The board is up to date.')
    }
  }, [lost, link])
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 z-30 flex justify-center px-4 max-sm:bottom-[max(1rem,env(safe-area-inset-bottom))] sm:top-18"
    >
      {lost && (
        <p className="fade-in-0 flex animate-in items-center gap-2 rounded-full border max-sm:rounded-lg border-high bg-high-soft px-4 py-2 text-high-foreground text-sm shadow-lifted">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          Offline: the board may be out of date. Reconnecting...
        </p>
      )}
    </div>
  )
}
