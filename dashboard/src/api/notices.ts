import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client, keyed, read } from './client'
import { keys } from './keys'
import type { NoticeSettings } from './types'

export const noticesQuery = infiniteQueryOptions({
  queryKey: keys.notices,
  queryFn: ({ pageParam, signal }) =>
    read(client.GET('/api/me/notices', { params: { query: { cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

export const noticeSettingsQuery = queryOptions({
  queryKey: keys.noticeSettings,
  queryFn: ({ signal }) => read(client.GET('/api/me/notices/settings', { signal })),
})

export const readNotices = (upTo: number, key: string) =>
  read(client.POST('/api/me/notices/read', { body: { upTo }, params: keyed(key) }))

export const saveNoticeSettings = (body: NoticeSettings, key: string) =>
  read(client.PUT('/api/me/notices/settings', { body, params: keyed(key) }))

export const sendTestNotice = (key: string) => read(client.POST('/api/me/notices/test', { params: keyed(key) }))
