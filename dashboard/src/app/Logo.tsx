import { site } from '@/lib/site'

/** The operator's logo, or the default: a market stall with a coin on its counter. */
export function Logo({ className }: { className?: string }) {
  return <img src={site.logo || '/favicon.svg'} alt="" className={className} />
}
