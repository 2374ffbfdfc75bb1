import { TriangleAlert } from 'lucide-react'
import { t } from '@/lib/texts'

/** Says that a name looks like that of an established trader, where there is no room for words. */
export function LookAlikeIcon() {
  return (
    <TriangleAlert
      role="img"
      aria-label={t('parts_looks_alike_careful')}
      className="mr-1 inline size-3.5 align-text-bottom text-high-foreground"
    />
  )
}
