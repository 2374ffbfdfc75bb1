import { useLocation } from 'react-router'
import { useMe } from '@/hooks/useMe'
import { isOn } from '@/lib/site'
import { visitorOffers } from '@/lib/visitorOffers'

const within: Record<string, string> = { '': 'browse', requests: 'browse', traders: 'browse', lists: 'mine' }

/** The place that an address belongs to: the first part of the place's own address, or "browse". */
function placeAt(pathname: string): string {
  const [, part = ''] = pathname.split('/')
  return within[part] ?? part
}

/** Whether there is a place for selling. It lists requests by the user's stock. */
export const sells = () => isOn('stock')

/** The role of the reader, the place that is shown, and the links to other places. */
export function usePlace() {
  const { pathname } = useLocation()
  const { user, likely, counts, todo, isPending } = useMe()
  return {
    user,
    /** Whether the user is signed in, or was when the page was last open. */
    signedIn: user !== null || likely,
    counts: isPending ? undefined : counts,
    todo,
    pathname,
    place: placeAt(pathname),
    /** Whether a visitor has offered with this browser. */
    offered: !user && !likely && visitorOffers().length > 0,
  }
}
