import { TriangleAlert } from 'lucide-react'
import type { Order } from '@/api/types'
import { rich } from '@/lib/texts'
import { Typed } from './typed'

type Props = { mark: Order['lookAlike']; contact?: string | null; name?: string | null }

/** Says which of the names looks like that of an established trader. */
export default function LookAlikes({ mark, contact, name }: Props) {
  const names = [mark?.contact ? contact : null, mark?.name ? name : null].filter((text) => text)
  return [...new Set(names)].map((text) => (
    <p key={text} className="mt-1 flex gap-1.5 text-high-foreground text-sm">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{rich('parts_looks_alike', { name: <Typed>{text}</Typed> })}</span>
    </p>
  ))
}
