import { site } from '@/lib/site'

/** The host's own picture, or a market stall with a coin on its counter. */
export function Logo({ className }: { className?: string }) {
  return <img src={site.logo || '/favicon.svg'} alt="" className={className} />
}
