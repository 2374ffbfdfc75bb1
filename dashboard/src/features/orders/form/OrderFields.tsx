import type { ReactNode } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import Choice from '@/components/choice'
import { CoinInput } from '@/components/coin-input'
import { Amount } from '@/components/coins'
import { Field } from '@/components/labelled-field'
import { SwitchField } from '@/components/switch-field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { parseCopper } from '@/lib/copper'
import { formLines } from '@/lib/fields'
import { categories, importanceNames, importances, limits } from '@/lib/market'
import { t } from '@/lib/texts'
import { ItemNameInput } from './ItemNameInput'
import type { NewOrder, OrderValues } from './orderForm'

export type OrderForm = UseFormReturn<OrderValues, unknown, NewOrder>

type Props = {
  form: OrderForm
  errorOf: (field: keyof OrderValues) => string | undefined
  /** Replaces the help text of a field, for example with the current value after a conflict. */
  hints?: Partial<Record<keyof OrderValues, ReactNode>>
}

const importanceOptions = importances.map((value) => ({ value, label: importanceNames[value] }))
const categoryOptions = categories.map((value) => ({ value, label: value }))

/** The fields of a request, for posting and editing alike. */
export function OrderFields({ form, errorOf, hints = {} }: Props) {
  const { register, control } = form
  return (
    <div className="grid gap-5">
      <Field label={t('orders_item_name')} error={errorOf('itemName')} help={hints.itemName}>
        {(field) => <ItemNameInput {...field} {...register('itemName')} typed={form.watch('itemName')} />}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t('common_quantity')} error={errorOf('quantity')} help={hints.quantity}>
          {(field) => (
            <Input
              {...field}
              {...register('quantity')}
              type="number"
              inputMode="numeric"
              min={1}
              max={limits.quantity}
            />
          )}
        </Field>
        <Controller
          control={control}
          name="maxPricePerUnit"
          render={({ field }) => (
            <CoinInput
              label={t('orders_max_unit_price')}
              name={field.name}
              value={field.value}
              onValue={field.onChange}
              onBlur={field.onBlur}
              error={errorOf('maxPricePerUnit')}
              hint={hints.maxPricePerUnit}
              ref={field.ref}
            />
          )}
        />
      </div>
      <Total form={form} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Controller
          control={control}
          name="category"
          render={({ field: { onChange, ...field } }) => (
            <Field label={t('common_category')} error={errorOf('category')} help={hints.category}>
              {(control) => (
                <Choice {...control} {...field} className="w-full" options={categoryOptions} onValue={onChange} />
              )}
            </Field>
          )}
        />
        <Controller
          control={control}
          name="importance"
          render={({ field: { onChange, ...field } }) => (
            <Field label={t('common_importance')} error={errorOf('importance')} help={hints.importance}>
              {(control) => (
                <Choice {...control} {...field} className="w-full" options={importanceOptions} onValue={onChange} />
              )}
            </Field>
          )}
        />
      </div>
      <Field
        label={t('common_discord_username')}
        error={errorOf('buyerContact')}
        help={hints.buyerContact ?? t('orders_contact_help')}
      >
        {(field) => (
          <Input {...field} {...register('buyerContact')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        {formLines.map(({ name, label }) => (
          <Field key={name} label={label} optional error={errorOf(name)} help={hints[name]}>
            {(field) => <Input {...field} {...register(name)} autoComplete="off" spellCheck={false} />}
          </Field>
        ))}
        <Field
          label={t('orders_level_requirement')}
          optional
          error={errorOf('levelRequirement')}
          help={hints.levelRequirement ?? t('orders_level_help', { most: limits.level })}
        >
          {(field) => (
            <Input
              {...field}
              {...register('levelRequirement')}
              type="number"
              inputMode="numeric"
              min={1}
              max={limits.level}
              placeholder={t('common_any')}
            />
          )}
        </Field>
      </div>
      <Field label={t('common_description')} optional error={errorOf('description')} help={hints.description}>
        {(field) => <Textarea {...field} {...register('description')} rows={4} />}
      </Field>
      <Controller
        control={control}
        name="signedInOnly"
        render={({ field }) => (
          <SwitchField
            label={t('orders_signed_in_only')}
            help={hints.signedInOnly ?? t('orders_signed_in_only_help')}
            name={field.name}
            on={field.value === 'yes'}
            onSwitch={(on) => field.onChange(on ? 'yes' : 'no')}
          />
        )}
      />
    </div>
  )
}

/** The total value, once quantity and price are valid. */
function Total({ form }: { form: OrderForm }) {
  const [quantity, price] = form.watch(['quantity', 'maxPricePerUnit'])
  const { copper } = parseCopper(price)
  const count = /^\d{1,7}$/.test(quantity) ? BigInt(quantity) : 0n
  const total = (copper ?? 0n) * count
  return (
    <output className="-mt-1 flex min-h-10 flex-wrap items-center justify-between gap-x-3 rounded-md bg-muted/60 px-3 py-1.5 text-sm">
      <span className="text-muted-foreground">{t('orders_total_value')}</span>
      {total > 0n ? <Amount value={total} size="medium" /> : <span className="text-muted-foreground">-</span>}
    </output>
  )
}
