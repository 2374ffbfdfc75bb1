import Choice from '@/components/choice'
import { Field } from '@/components/labelled-field'
import { t } from '@/lib/texts'

/** Whose offers a new request takes as they come. */
export type Standing = 'no' | 'trusted' | 'met' | 'anybody'

const options = [
  { value: 'no', label: t('orders_stands_no') },
  { value: 'trusted', label: t('traders_sellers_trusted') },
  { value: 'met', label: t('traders_sellers_met') },
  { value: 'anybody', label: t('traders_sellers_anybody') },
] as const

/** Whose offers it takes as they come, in the line of what is folded. */
export const standingInWords = (standing: Standing) =>
  t('orders_fold_text', {
    label: t('orders_stands'),
    text: options.find(({ value }) => value === standing)?.label ?? '',
  })

/** Has a new request take offers up to its price as they come, and trade with listings that sell without asking. */
export function StandingChoice({ value, onValue }: { value: Standing; onValue: (value: Standing) => void }) {
  return (
    <Field label={t('orders_stands')} help={value !== 'no' && t('orders_stands_help')}>
      {(control) => (
        <Choice
          {...control}
          name="standing"
          className="w-full"
          options={options}
          value={value}
          onValue={(chosen) => onValue(chosen as Standing)}
        />
      )}
    </Field>
  )
}
