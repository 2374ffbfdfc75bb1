/** A speech bubble with two eyes: our own icon for Discord. */
export function DiscordMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className={className}>
      <path
        fill="currentColor"
        stroke="none"
        fillRule="evenodd"
        clipRule="evenodd"
        d="M7 4h10a4 4 0 0 1 4 4v6a4 4 0 0 1-4 4h-1.500L12 21.500 8.500 18H7a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4zm2.250 5.250a1.750 1.750 0 1 0 0 3.500 1.750 1.750 0 0 0 0-3.500zm5.500 0a1.750 1.750 0 1 0 0 3.500 1.750 1.750 0 0 0 0-3.500z"
      />
    </svg>
  )
}
