import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { makeToken, type Scope } from '@/api/tokens'
import { CheckLine } from '@/components/check-line'
import Choice from '@/components/choice'
import { needsFreshSignIn } from '@/components/failure'
import { Field } from '@/components/labelled-field'
import { Input } from '@/components/ui/input'
import { useDraftForm } from '@/hooks/useDraftForm'
import { saveDraft } from '@/lib/drafts'
import { cleanLine } from '@/lib/text'
import { t } from '@/lib/texts'
import { MakingFoot } from './MakingFoot'

/** Names the draft in this tab. */
export const draftName = 'token'

const maxName = 50
const lives = [30, 90, 365] as const

const tokenForm = z.object({
  name: z.string().check(
    z.trim(),
    z.refine((name) => cleanLine(name) !== '', t('lib_required', { label: t('tokens_name') })),
  ),
  scopes: z.string().check(z.refine((scopes) => scopes !== '', t('tokens_may_missing'))),
  days: z.string(),
})

type Answer = Awaited<ReturnType<typeof makeToken>>

type Props = { tradeAllowed: boolean; onMade: (made: Answer) => void; onCancel: () => void }

/** Asks which program may do what, and for how long. */
export function TokenForm({ tradeAllowed, onMade, onCancel }: Props) {
  const [stale, setStale] = useState(false)
  const { form, submit, notice, sending, errorOf, startOver } = useDraftForm({
    name: draftName,
    defaults: { name: '', scopes: 'read', days: '90' },
    schema: tokenForm,
    failure: t('tokens_make_failed'),
    async send({ name, scopes, days }, key) {
      try {
        const life = lives.find((of) => String(of) === days) ?? 90
        onMade(await makeToken({ name, scopes: scopes.split(' ') as Scope[], days: life }, key))
      } catch (error) {
        setStale(needsFreshSignIn(error))
        throw error
      }
    },
  })
  const { scopes, days } = form.watch()
  const chosen = scopes.split(' ').filter(Boolean)

  function choose(field: 'scopes' | 'days', value: string) {
    form.setValue(field, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    saveDraft(draftName, form.getValues())
  }

  const toggle = (scope: Scope, on: boolean) =>
    choose('scopes', (on ? [...chosen, scope] : chosen.filter((other) => other !== scope)).join(' '))

  const offered: { scope: Scope; label: string; disabled?: boolean }[] = [
    { scope: 'read', label: t('tokens_read') },
    { scope: 'inbox', label: t('tokens_inbox') },
    { scope: 'stock', label: t('tokens_stock') },
    { scope: 'trade', label: tradeAllowed ? t('tokens_trade') : t('tokens_trade_off'), disabled: !tradeAllowed },
  ]
  const wrong = errorOf('scopes')
  const wrongId = useId()
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 rounded-lg border p-3.5">
      <Field label={t('tokens_name')} error={errorOf('name')}>
        {(field) => <Input {...field} {...form.register('name')} maxLength={maxName} autoComplete="off" autoFocus />}
      </Field>
      <fieldset className="grid gap-1" aria-describedby={wrong ? wrongId : undefined}>
        <legend className="mb-1 font-medium text-sm">{t('tokens_may')}</legend>
        {offered.map(({ scope, label, disabled }) => (
          <CheckLine
            key={scope}
            label={label}
            on={chosen.includes(scope) && !disabled}
            disabled={disabled}
            onSwitch={(on) => toggle(scope, on)}
          />
        ))}
        {wrong && (
          <p id={wrongId} className="text-destructive text-sm">
            {wrong}
          </p>
        )}
      </fieldset>
      <Field label={t('tokens_days')} error={errorOf('days')}>
        {(field) => (
          <Choice
            {...field}
            options={lives.map((life) => ({ value: String(life), label: t('tokens_days_choice', { days: life }) }))}
            value={days}
            onValue={(value) => choose('days', value)}
          />
        )}
      </Field>
      <MakingFoot
        notice={notice}
        stale={stale}
        sending={sending}
        make={sending ? t('tokens_making') : t('tokens_make_now')}
        onCancel={() => {
          startOver()
          onCancel()
        }}
      />
    </form>
  )
}
