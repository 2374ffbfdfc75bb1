import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { noticeSettingsQuery, saveNoticeSettings, sendTestNotice } from '@/api/notices'
import type { NoticeSettings } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Field } from '@/components/labelled-field'
import { MutedBuyers } from '@/components/muted-buyers'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { type DialogProps, useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { useSendForm } from '@/hooks/useSendForm'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { noticeSettingsForm } from '@/lib/validation'
import { BlockedSellers } from './BlockedSellers'
import { kindsIn, wordingOf } from './noticeTexts'

/** The settings of direct messages. The inbox shows every notice regardless. */
export default function NoticesDialog({ open, onClose }: DialogProps) {
  const query = useQuery(noticeSettingsQuery)
  const { data, isError } = query
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={t('common_notice_settings')} description={t('notices_settings_hint')}>
        {data && <SettingsForm settings={data} onClose={onClose} />}
        {isError && <ErrorPanel text={t('notices_settings_failed_to_load')} query={query} />}
        {!data && !isError && <DialogBody className="min-h-80" aria-busy="true" />}
      </DialogContent>
    </Dialog>
  )
}

function SettingsForm({ settings, onClose }: { settings: NoticeSettings; onClose: () => void }) {
  const queryClient = useQueryClient()
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const kinds = kindsIn(settings.kinds)
  const { form, submit, notice, sending, errorOf } = useSendForm({
    schema: noticeSettingsForm,
    defaults: {
      kinds: Object.fromEntries(kinds.map((kind) => [kind, settings.kinds[kind] ?? true])),
      quietFrom: settings.quietFrom ?? '',
      quietTo: settings.quietTo ?? '',
      gatherOffers: settings.gatherOffers ?? false,
    },
    failure: t('notices_settings_failed_to_save'),
    async send(chosen, key) {
      // A kind that only a newer server knows stays as it is.
      const changed = { ...chosen, kinds: { ...settings.kinds, ...chosen.kinds }, timeZone }
      queryClient.setQueryData(keys.noticeSettings, await saveNoticeSettings(changed, key))
      showToast(t('notices_settings_saved'))
      onClose()
    },
  })
  return (
    <form noValidate className="flex min-h-0 flex-1 flex-col" onSubmit={submit}>
      <DialogBody className="grid content-start gap-6">
        {settings.unreachable && <Notice>{t('notices_unreachable', { reason: settings.unreachable })}</Notice>}
        <fieldset className="grid">
          <legend className="mb-1 font-medium text-sm">{t('notices_send_when')}</legend>
          {kinds.map((kind) => (
            <label
              key={kind}
              className="flex min-h-9 cursor-pointer items-center gap-3 text-sm pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                className="size-4.5 shrink-0 cursor-pointer accent-primary"
                {...form.register(`kinds.${kind}`)}
              />
              {wordingOf(kind).label}
            </label>
          ))}
          <p className="mt-1 text-muted-foreground text-sm">{t('notices_always')}</p>
        </fieldset>
        <div className="grid gap-1">
          <label className="flex min-h-9 cursor-pointer items-center gap-3 text-sm pointer-coarse:min-h-11">
            <input
              type="checkbox"
              className="size-4.5 cursor-pointer accent-primary"
              aria-describedby="gather-hint"
              {...form.register('gatherOffers')}
            />
            <span className="font-medium">{t('notices_gather')}</span>
          </label>
          <p id="gather-hint" className="text-muted-foreground text-sm">
            {t('notices_gather_hint')}
          </p>
        </div>
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 font-medium text-sm">{t('notices_quiet_hours')}</legend>
          <div className="grid grid-cols-2 gap-4">
            <Field label={t('notices_quiet_from')} error={errorOf('quietFrom')}>
              {(field) => <Input {...field} {...form.register('quietFrom', { deps: 'quietTo' })} type="time" />}
            </Field>
            <Field label={t('notices_quiet_to')} error={errorOf('quietTo')}>
              {(field) => <Input {...field} {...form.register('quietTo', { deps: 'quietFrom' })} type="time" />}
            </Field>
          </div>
          <p className="text-muted-foreground text-sm">
            {t('notices_quiet_hint', { zone: timeZone.replaceAll('_', ' ') })}
          </p>
        </fieldset>
        <Sources />
        <MutedBuyers />
        <BlockedSellers />
        <TestNotice />
      </DialogBody>
      {notice && <Notice className="mx-5 mb-3">{notice}</Notice>}
      <DialogFooter>
        <Button variant="ghost" className="max-sm:hidden" onClick={onClose}>
          {t('common_cancel')}
        </Button>
        <Button type="submit" className="max-sm:h-11" disabled={sending}>
          {sending ? t('common_saving') : t('common_save')}
        </Button>
      </DialogFooter>
    </form>
  )
}

/** Where each saved search, and the alerts of each item in stock, are turned off by themselves. */
function Sources() {
  const { go } = useDialogs()
  if (!isOn('watches') && !isOn('stock')) return null
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="mb-1.5 font-medium text-sm">{t('notices_sources')}</legend>
      {isOn('watches') && (
        <Button variant="outline" onClick={() => go('/selling/saved')}>
          {t('common_saved_searches')}
        </Button>
      )}
      {isOn('stock') && (
        <Button variant="outline" onClick={() => go('/selling/stock')}>
          {t('common_my_stock')}
        </Button>
      )}
    </fieldset>
  )
}

function TestNotice() {
  const writes = useIdempotencyKey()
  const { mutate, isPending, isSuccess, isError, error } = useMutation({
    mutationFn: () => sendTestNotice(writes.keyFor('test')),
    onSuccess: () => writes.succeeded(),
  })
  return (
    <div className="grid gap-2">
      <Button variant="outline" className="justify-self-start" disabled={isPending} onClick={() => mutate()}>
        {isPending ? t('common_sending') : t('notices_test_button')}
      </Button>
      {isSuccess && <Notice tone="success">{t('notices_test_sent')}</Notice>}
      {isError && <Notice>{messageFor(error, t('notices_test_failed'))}</Notice>}
    </div>
  )
}
