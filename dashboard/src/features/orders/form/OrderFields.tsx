import type { ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import Choice from '@/components/choice'
import { CoinInput } from '@/components/coin-input'
import { ItemCombobox } from '@/components/item-combobox'
import { Field } from '@/components/labelled-field'
import { SwitchField } from '@/components/switch-field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { formLines } from '@/lib/fields'
import { categories, categoryName, importanceNames, importances, limits } from '@/lib/market'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { Folded } from './Folded'
import type { OrderForm, OrderValues } from './orderForm'

type Props = {
  form: OrderForm
  errorOf: (field: keyof OrderValues) => string | undefined
  /** Replaces the help text of a field, for example with the current value after a conflict. */
  hints?: Partial<Record<keyof OrderValues, ReactNode>>
}

const importanceOptions = importances.map((value) => ({ value, label: importanceNames[value] }))
const categoryOptions = categories.map((value) => ({ value, label: categoryName(value) }))

/** The three fields that every request needs, for posting and editing alike. */
export function FirstFields({ form, errorOf, hints = {} }: Props) {
  const { register, control } = form
  return (
    <div className="grid content-start gap-5">
      <Controller
        control={control}
        name="itemName"
        render={({ field: { onChange, ...field } }) => (
          <Field label={t('orders_item_name')} error={errorOf('itemName')} help={hints.itemName}>
            {(control) => <ItemCombobox {...control} {...field} onValue={onChange} />}
          </Field>
        )}
      />
      <div className="grid grid-cols-[2fr_3fr] gap-x-4 gap-y-5 lg:grid-cols-1">
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
    </div>
  )
}

type OtherProps = Props & {
  /** Below the line while they are folded. */
  help: string
  /** What the children hold, for the line; false for nothing. */
  held?: string | false
  /** Fields that only one of the forms has. */
  children?: ReactNode
}

/** The other fields, folded. */
export function OtherFields({ form, errorOf, hints = {}, help, held, children }: OtherProps) {
  const { register, control } = form
  return (
    <Folded form={form} errorOf={errorOf} help={help} held={held}>
      {children}
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
      {isOn('tokens') && (
        <Controller
          control={control}
          name="noPrograms"
          render={({ field }) => (
            <SwitchField
              label={t('orders_no_programs')}
              help={hints.noPrograms ?? t('orders_no_programs_help')}
              name={field.name}
              on={field.value === 'yes'}
              onSwitch={(on) => field.onChange(on ? 'yes' : 'no')}
            />
          )}
        />
      )}
    </Folded>
  )
}
