import type { ComponentProps, MouseEvent } from 'react'
import { useDialogs } from '@/hooks/useDialogs'

type Props = Omit<ComponentProps<'a'>, 'href'> & { to: string }

/** A link within the page that does not subscribe to the location: a thousand of them cost nothing on
 * navigation. */
export function PageLink({ to, onClick, ...props }: Props) {
  const { go } = useDialogs()
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !plain) return
    event.preventDefault()
    go(to)
  }
  return <a href={to} onClick={follow} {...props} />
}
