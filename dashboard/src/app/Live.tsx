import { ConnectionNotice } from './ConnectionNotice'
import { useAcceptedToasts } from './useAcceptedToasts'
import { useLive } from './useLive'

/** Keeps the page up to date, and says when it cannot. */
export default function Live({ session }: { session: number }) {
  const connection = useLive(session)
  useAcceptedToasts()
  return <ConnectionNotice connection={connection} />
}
