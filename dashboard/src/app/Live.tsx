import { useSendKey } from '@/hooks/useSendKey'
import { ConnectionNotice } from './ConnectionNotice'
import { useAcceptedToasts } from './useAcceptedToasts'
import { useLive } from './useLive'

/** Keeps the page up to date, and says when it cannot. What is needed only once the page is there is here, too. */
export default function Live({ session }: { session: number }) {
  const connection = useLive(session)
  useAcceptedToasts()
  useSendKey()
  return <ConnectionNotice connection={connection} />
}
