import { site } from '@/lib/site'

/** The host's own picture, or a market stall with a coin on its counter. */
export function Logo({ className }: { className?: string }) {
  if (site.logo) return <img src={site.logo} alt="" className={className} />
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={className}>
      <path d="M4 12 7 4h18l3 8z" fill="#1f6f63" />
      <path d="M4 12h6v2.5a3 3 0 0 1-6 0zM16 12h6v2.5a3 3 0 0 1-6 0z" fill="#2f9282" />
      <path
        d="M10 12h6v2.5a3 3 0 0 1-6 0zM22 12h6v2.500a3 3 0 0 1-6 0z"
        fill="#f2e6cc"
        stroke="#1f6f63"
        strokeWidth=".4"
      />
      <path d="M7 19h18v8a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1z" fill="#8a5a33" />
      <circle cx="16" cy="23.500" r="3.600" fill="#e3b341" />
      <circle cx="16" cy="23.500" r="2.100" fill="none" stroke="#8a5a0a" strokeWidth=".9" />
    </svg>
  )
}
