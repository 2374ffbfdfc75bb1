import { useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { stockKeys } from '@/api/stock'
import type { Notice } from '@/api/types'
import { muteBuyer, watchesKey } from '@/api/watches'
import { LinkButton } from '@/components/buttons'
import { useKeptFocus } from '@/components/kept-focus'
import { PageLink } from '@/components/page-link'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDayAndTime } from '@/lib/format'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { showToast, type ToastAction } from '@/lib/toasts'
import { AlertOffer } from './AlertOffer'
import { useAlertSource } from './useAlertSource'

/** What one can do about a request that fits a saved search or stock, as in the direct message, and what caused the alert. */
export function AlertActions({ notice }: { notice: Notice }) {
  const { open, go } = useDialogs()
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const source = useAlertSource(notice)
  const focus = useKeptFocus()
  const known = source.id

  async function act<T>(content: unknown[], send: (key: string) => Promise<T>, done: (answer: T) => Done) {
    try {
      const { text, action } = done(await writes.once(content, (_, key) => send(key)))
      showToast(text, 'info', action)
      void queryClient.invalidateQueries({ queryKey: watchesKey })
      void queryClient.invalidateQueries({ queryKey: keys.searches })
      void queryClient.invalidateQueries({ queryKey: stockKeys.own })
    } catch (error) {
      showToast(messageFor(error, t('notices_save_failed')), 'error')
    }
  }
  const resume = (id: number) =>
    act(
      ['resume', id, notice.id],
      (key) => source.resume(id, key),
      () => ({ text: source.resumed }),
    )
  const undo = (id: number): ToastAction => ({ label: t('common_undo'), run: () => void resume(id) })
  const snooze = (until: 'hour' | 'tomorrow') =>
    act(
      [until, notice.id],
      (key) => source.snooze(until, key),
      ({ id, snoozedUntil }) => ({
        text: t('notices_quiet_until', { time: formatDayAndTime(snoozedUntil ?? '') }),
        action: undo(id),
      }),
    )
  const stop = () => act(['stop', notice.id], source.stop, ({ id }) => ({ text: source.stopped, action: undo(id) }))
  const mute = () =>
    act(
      ['mute', notice.id],
      (key) => muteBuyer(notice.id, key),
      () => ({
        text: t('notices_muted'),
        action: {
          label: t('common_change'),
          run: () => (isOn('watches') ? go('/selling/saved') : open({ name: 'notices' })),
        },
      }),
    )
  return (
    <div className="grid w-full gap-y-2">
      <p className="text-muted-foreground">
        <bdi>{source.label}</bdi>
        {source.quiet && ` · ${source.quiet}`}
        {source.gone && ` · ${t('notices_source_removed')}`}
      </p>
      {notice.listingId !== undefined ? (
        <PageLink
          to={`/?side=sale&q=${encodeURIComponent(notice.itemName)}`}
          className="touch justify-self-start text-primary underline decoration-primary/40 underline-offset-4"
        >
          {t('notices_show_listing')}
        </PageLink>
      ) : notice.orderId === null ? (
        <p>{t('notices_request_deleted')}</p>
      ) : (
        <AlertOffer notice={notice} orderId={notice.orderId} />
      )}
      <div {...focus} className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {!source.off && !source.gone && (
          <>
            <LinkButton className={link} onClick={() => snooze('hour')}>
              {t('notices_snooze_hour')}
            </LinkButton>
            <LinkButton className={link} onClick={() => snooze('tomorrow')}>
              {t('notices_snooze_tomorrow')}
            </LinkButton>
          </>
        )}
        <LinkButton className={link} onClick={mute}>
          {notice.listingId === undefined ? t('notices_mute_buyer') : t('notices_mute_seller')}
        </LinkButton>
        {source.quiet && known !== undefined && (
          <LinkButton className={link} onClick={() => resume(known)}>
            {t('notices_resume')}
          </LinkButton>
        )}
        {!source.off && !source.gone && (
          <LinkButton className={link} onClick={stop}>
            {t('notices_stop')}
          </LinkButton>
        )}
      </div>
    </div>
  )
}

type Done = { text: string; action?: ToastAction }

const link = 'min-h-6 pointer-coarse:min-h-11'
