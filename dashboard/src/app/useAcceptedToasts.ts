import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { noticesQuery } from '@/api/notices'
import { useMe } from '@/hooks/useMe'
import { answeredHere } from '@/lib/asked'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

/** Shows a toast on every page when one of the user's offers is accepted, unless they have just said yes
 * to it themselves. The notices are fetched only once more of them are unread than before. */
export function useAcceptedToasts() {
  const { user, counts } = useMe()
  const userId = user?.id
  const [known, setKnown] = useState<{ userId: number; unread: number } | null>(null)
  const lastShown = useRef(0) // the newest notice that was shown
  const fresh = known && known.userId === userId ? counts.unread - known.unread : 0
  const { data, isFetching } = useInfiniteQuery({ ...noticesQuery, enabled: fresh > 0 })

  useEffect(() => {
    if (userId === undefined) return
    setKnown((before) =>
      before?.userId === userId && before.unread <= counts.unread ? before : { userId, unread: counts.unread },
    )
  }, [userId, counts.unread])

  useEffect(() => {
    if (fresh <= 0 || isFetching || !data) return
    const unread = data.pages.flatMap((page) => page.notices).filter((notice) => !notice.read)
    for (const { id, kind, orderId, quantity, itemName } of unread.slice(0, fresh).reverse()) {
      if (id <= lastShown.current) continue
      lastShown.current = id
      if (kind === 'offer_accepted' && !answeredHere(orderId))
        showToast(t('app_offer_accepted', { quantity, item: itemName }))
    }
  }, [fresh, isFetching, data])
}
