import type { ReactNode } from 'react'
import { Empty, EmptyContent, EmptyDescription, EmptyHeader, EmptyMedia, EmptyTitle } from './ui/empty'

type Drawing = 'stall' | 'signpost' | 'chest' | 'lantern'

type Props = { drawing: Drawing; title: string; hint?: ReactNode; action?: ReactNode; heading?: 'h1' | 'h2' }

/** One small drawing, one sentence, one button. */
export default function EmptyState({ drawing, title, hint, action, heading: Heading = 'h2' }: Props) {
  return (
    <Empty className="mx-auto max-w-md gap-5 px-6 py-14 md:px-6 md:py-14">
      <EmptyHeader className="max-w-md">
        <EmptyMedia>
          <svg
            aria-hidden="true"
            viewBox="0 0 120 96"
            className="h-24 w-30 text-muted-foreground"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
          >
            {drawings[drawing]}
          </svg>
        </EmptyMedia>
        <EmptyTitle>
          <Heading>{title}</Heading>
        </EmptyTitle>
        {hint && <EmptyDescription>{hint}</EmptyDescription>}
      </EmptyHeader>
      {action && <EmptyContent>{action}</EmptyContent>}
    </Empty>
  )
}

const ground = <path d="M10 88h100" className="stroke-border" />

const drawings: Record<Drawing, ReactNode> = {
  // A closed market stall.
  stall: (
    <>
      {ground}
      <path d="M28 44v44M92 44v44M28 66h64v22" />
      <path d="M22 40 30 20h60l8 20z" className="fill-accent" />
      <path
        d="M22 40c0 6 4 9 9.5 9S41 46 41 40c0 6 4 9 9.5 9S60 46 60 40c0 6 4 9 9.500 9S79 46 79 40c0 6 4 9 9.500 9S98 46 98 40z"
        className="fill-card"
      />
      <path d="m43 20-2 20M60 20v20M77 20l2 20" />
      <circle cx="60" cy="77" r="5" className="fill-[var(--gold-face)] stroke-[var(--gold-edge)]" />
    </>
  ),
  // A signpost without boards.
  signpost: (
    <>
      {ground}
      <path d="M58 88V16h5v72" />
      <path d="M63 24h32l8 8-8 8H63z" className="fill-accent" />
      <path d="M58 46H30l-8 8 8 8h28" strokeDasharray="4 5" />
      <path d="M50 88c0-5 3-7 5-7M68 88c0-4-1-6-3-6" />
      <path d="M72 32h18" className="stroke-primary" />
    </>
  ),
  // An open, empty chest.
  chest: (
    <>
      {ground}
      <path d="M30 52h60v36H30z" className="fill-card" />
      <path d="M30 52c0-18 6-26 14-30h46c-6 6-8 16-8 30" className="fill-accent" />
      <path d="M90 22c6 4 8 14 8 24l-8 6M30 66h60" />
      <path d="M55 62h10v9H55z" className="fill-[var(--gold-face)] stroke-[var(--gold-edge)]" />
    </>
  ),
  // A lantern.
  lantern: (
    <>
      {ground}
      <path
        d="M60 10v8M48 30c0-7 5-12 12-12s12 5 12 12M46 30h28v6H46zM48 36h24v32H48zM44 68h32v7H44z"
        className="fill-card"
      />
      <path
        d="M60 62c-5 0-7-3-7-7 0-5 7-10 7-10s7 5 7 10c0 4-2 7-7 7z"
        className="fill-[var(--gold-face)] stroke-[var(--gold-edge)]"
      />
      <path d="M32 40l-8-3M32 54h-9M88 40l8-3M88 54h9" className="stroke-[var(--gold-edge)]" />
    </>
  ),
}
