import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { keys } from '@/api/keys'
import { noticesQuery, readNotices } from '@/api/notices'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { MoreButton } from '@/components/more-button'
import { useDelayed } from '@/hooks/useDelayed'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { lazy } from '@/lib/loaded'
import { t } from '@/lib/texts'
import { byRequest, NoticeGroup } from './NoticeGroup'

const EmptyState = lazy(() => import('@/components/empty-state'))
const readAfter = 1500 // ms on screen until they count as read

/** All notices of the user by request, the newest first. Notices that were on screen count as read. */
export function InboxList() {
  const query = useInfiniteQuery(noticesQuery)
  const { data, isPending, isError } = query
  const slow = useDelayed(isPending)
  const newest = data?.pages[0]?.notices[0]?.id
  useMarkRead(newest, (data?.pages[0]?.unread ?? 0) > 0)

  if (isPending)
    return slow ? (
      <Loading label={t('notices_loading')} boxes={Array<string>(4).fill('h-20')} className="gap-px" />
    ) : null
  if (isError) return <ErrorPanel text={t('notices_failed_to_load')} query={query} />
  const notices = data.pages.flatMap((page) => page.notices)
  if (notices.length === 0) {
    return (
      <Suspense fallback={<i data-loading hidden />}>
        <EmptyState drawing="lantern" title={t('notices_none')} hint={t('notices_none_hint')} />
      </Suspense>
    )
  }
  return (
    <>
      <div className="grid gap-4">
        {byRequest(notices).map((group) => (
          <NoticeGroup key={group[0]?.orderId ?? `notice:${group[0]?.id}`} notices={group} />
        ))}
      </div>
      <MoreButton pages={query} />
    </>
  )
}

function useMarkRead(newest: number | undefined, anyUnread: boolean) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate } = useMutation({
    mutationFn: (upTo: number) => readNotices(upTo, writes.keyFor(upTo)),
    // The rows keep their unread mark while they are on screen; only the count in the header changes.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.me }),
  })
  useEffect(() => {
    if (!newest || !anyUnread) return
    const timer = setTimeout(() => mutate(newest), readAfter)
    return () => clearTimeout(timer)
  }, [newest, anyUnread, mutate])
}
