import { useClamped } from '@/hooks/useClamped'
import { cn } from '@/lib/cn'

/** The description, clamped to three lines; the third fades if there are more. */
export function Description({ text, full }: { text: string; full: boolean }) {
  const clamped = useClamped<HTMLParagraphElement>()
  return (
    <p
      dir="auto"
      ref={full ? undefined : clamped}
      className={cn(
        'mt-0.5 whitespace-pre-line wrap-anywhere',
        full ? 'text-sm' : 'text-xs',
        !full && 'line-clamp-3 data-clamped:[mask-image:linear-gradient(#000_60%,#0006)]',
      )}
    >
      {text}
    </p>
  )
}
