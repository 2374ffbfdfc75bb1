import { TriangleAlert } from 'lucide-react'

export const lookAlike = "looks like the name of an established trader, but isn't theirs"

/** Says that a name looks like that of an established trader, where there is no room for words. */
export function LookAlikeIcon() {
  return (
    <TriangleAlert
      role="img"
      aria-label={`Careful: a name ${lookAlike}`}
      className="mr-1 inline size-3.5 align-text-bottom text-high-foreground"
    />
  )
}
