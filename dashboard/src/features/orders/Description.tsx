import { useClamped } from '@/hooks/useClamped'
import { cn } from '@/lib/cn'

/** The description, clamped to three lines; the third fades if there are more. */
export function Description({ text, full }: { text: string; full: boolean }) {
  const clamped = useClamped<HTMLParagraphElement>()
  return (
    <p
      ref={full ? undefined : clamped}
      className={cn(
        'whitespace-pre-line text-muted-foreground text-sm wrap-anywhere',
        !full && 'line-clamp-3 data-clamped:[mask-image:linear-gradient(#000_60%,#0006)]',
      )}
    >
      {text}
    </p>
  )
}
