import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { makeWebhook } from '@/api/webhooks'
import { CheckLine } from '@/components/check-line'
import { needsFreshSignIn } from '@/components/failure'
import { Field } from '@/components/labelled-field'
import { Input } from '@/components/ui/input'
import { useDraftForm } from '@/hooks/useDraftForm'
import { saveDraft } from '@/lib/drafts'
import { t } from '@/lib/texts'
import { MakingFoot } from './MakingFoot'

/** Names the draft in this tab. */
export const draftName = (market: boolean) => (market ? 'market-webhook' : 'webhook')

const maxUrl = 500

const webhookForm = z.object({
  url: z.string().check(
    z.trim(),
    z.refine((url) => url !== '', t('lib_required', { label: t('webhooks_url') })),
  ),
  types: z.string().check(z.refine((types) => types !== '', t('webhooks_types_missing'))),
})

type Answer = Awaited<ReturnType<typeof makeWebhook>>

type Props = { market: boolean; types: string[]; onMade: (made: Answer) => void; onCancel: () => void }

/** Asks where the market sends which events. */
export function WebhookForm({ market, types, onMade, onCancel }: Props) {
  const [stale, setStale] = useState(false)
  const name = draftName(market)
  const { form, submit, notice, sending, errorOf, startOver } = useDraftForm({
    name,
    defaults: { url: '', types: types.join(' ') },
    schema: webhookForm,
    failure: t('webhooks_make_failed'),
    async send({ url, types }, key) {
      try {
        onMade(await makeWebhook(market, { url, types: types.split(' ') }, key))
      } catch (error) {
        setStale(needsFreshSignIn(error))
        throw error
      }
    },
  })
  const chosen = form.watch().types.split(' ').filter(Boolean)

  function choose(next: string[]) {
    form.setValue('types', next.join(' '), { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    saveDraft(name, form.getValues())
  }

  const wrong = errorOf('types')
  const wrongId = useId()
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 rounded-lg border p-3.5">
      <Field label={t('webhooks_url')} help={t('webhooks_url_hint')} error={errorOf('url')}>
        {(field) => (
          <Input
            {...field}
            {...form.register('url')}
            type="url"
            inputMode="url"
            maxLength={maxUrl}
            autoComplete="off"
            autoFocus
          />
        )}
      </Field>
      <fieldset className="grid gap-1" aria-describedby={wrong ? wrongId : undefined}>
        <legend className="mb-1 font-medium text-sm">{t('webhooks_types')}</legend>
        <CheckLine
          label={t('webhooks_all')}
          on={chosen.length === types.length}
          onSwitch={(on) => choose(on ? types : [])}
        />
        {types.map((type) => (
          <CheckLine
            key={type}
            label={type}
            on={chosen.includes(type)}
            onSwitch={(on) => choose(on ? [...chosen, type] : chosen.filter((other) => other !== type))}
          />
        ))}
        {wrong && (
          <p id={wrongId} className="text-destructive text-sm">
            {wrong}
          </p>
        )}
      </fieldset>
      <MakingFoot
        notice={notice}
        stale={stale}
        sending={sending}
        make={sending ? t('webhooks_making') : t('webhooks_make_now')}
        onCancel={() => {
          startOver()
          onCancel()
        }}
      />
    </form>
  )
}
