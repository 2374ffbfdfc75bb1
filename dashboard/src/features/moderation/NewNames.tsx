import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { confirmItem, ignoreItem, mergeItem, newNamesQuery } from '@/api/moderation'
import type { Item, NewName } from '@/api/types'
import { ItemCombobox } from '@/components/item-combobox'
import { useItemOptions } from '@/components/item-options'
import { Notice } from '@/components/notice'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

/** The names that users type and the catalogue does not have, with what can be made of each. */
export function NewNames() {
  const query = useInfiniteQuery(newNamesQuery)
  const names = query.data?.pages.flatMap((page) => page.items)
  return (
    <>
      {names && names.length > 1 && <IgnoreAll names={names} />}
      <ModerationList
        query={query}
        rows={names}
        label={t('moderation_names')}
        loading={t('moderation_names_loading')}
        failure={t('moderation_names_failed')}
        empty={t('moderation_names_empty')}
        hint={t('moderation_names_hint')}
      >
        {(name) => <NewNameRow key={name.item.id} name={name} />}
      </ModerationList>
    </>
  )
}

/** Ignores every name in the list, except names that were decided on meanwhile or that no request has any more. */
function IgnoreAll({ names }: { names: NewName[] }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const key = writes.keyFor(names.map(({ item }) => item.id))
      let ignored = 0
      for (const { item } of names) {
        try {
          await ignoreItem(item.id, `${key}-${item.id}`)
          ignored++
        } catch (error) {
          if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error
        }
      }
      return ignored
    },
    onSuccess: (ignored) => showToast(t('moderation_names_ignored', { count: ignored })),
    onSettled() {
      for (const queryKey of [newNamesQuery.queryKey, keys.audit, ['items'], keys.lists]) {
        void queryClient.invalidateQueries({ queryKey })
      }
    },
  })
  return (
    <div className="mb-3 grid justify-items-end gap-2">
      <Button variant="outline" size="sm" disabled={isPending} onClick={() => mutate()}>
        {isPending ? t('moderation_ignoring') : t('moderation_names_ignore_all')}
      </Button>
      {error && <Notice>{messageFor(error, t('moderation_names_ignore_failed'))}</Notice>}
    </div>
  )
}

type Decision = 'confirm' | 'ignore' | Item

function NewNameRow({ name: { item, requests, near } }: { name: NewName }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()
  const [searching, setSearching] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn(decision: Decision) {
      const into = typeof decision === 'object' ? decision.id : 0
      const key = writes.keyFor([decision, item.id, into])
      if (decision === 'confirm') return confirmItem(item.id, key)
      return decision === 'ignore' ? ignoreItem(item.id, key) : mergeItem(item.id, into, key)
    },
    onSuccess(_, decision) {
      if (decision === 'confirm') showToast(t('moderation_name_confirmed', { name: item.name }))
      else if (decision === 'ignore') showToast(t('moderation_name_ignored', { name: item.name }))
      else showToast(t('moderation_name_merged', { name: item.name, item: decision.name }))
      for (const queryKey of [newNamesQuery.queryKey, keys.audit, ['items'], keys.lists]) {
        void queryClient.invalidateQueries({ queryKey })
      }
    },
  })
  return (
    <li className="grid gap-2.5 px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 dir="auto" className="min-w-0 text-base wrap-anywhere">
          {item.name}
        </h2>
        <span className="tabular text-muted-foreground text-sm">
          {t('moderation_name_requests', { count: requests })}
        </span>
      </div>
      {near && (
        <p className="text-muted-foreground text-sm">
          {rich('moderation_name_near', { item: <Typed>{near.name}</Typed> })}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          disabled={isPending}
          aria-label={t('moderation_confirm_name', { name: item.name })}
          onClick={() => mutate('confirm')}
        >
          {t('moderation_confirm')}
        </Button>
        {near && (
          <Button
            variant="outline"
            size="sm"
            className="h-auto min-h-8 whitespace-normal text-left"
            disabled={isPending}
            onClick={() => mutate(near)}
          >
            {t('moderation_merge_into', { item: near.name })}
          </Button>
        )}
        <Button
          variant="outline"
          size="sm"
          aria-expanded={searching}
          aria-label={t('moderation_merge_name', { name: item.name })}
          onClick={() => setSearching(!searching)}
        >
          {t('moderation_merge_open')}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          disabled={isPending}
          aria-label={t('moderation_ignore_name', { name: item.name })}
          onClick={() => mutate('ignore')}
        >
          {t('moderation_ignore')}
        </Button>
      </div>
      {searching && <MergeInto name={item.name} pending={isPending} onMerge={mutate} />}
      {error && <Notice>{messageFor(error, t('moderation_name_failed'))}</Notice>}
    </li>
  )
}

type MergeProps = { name: string; pending: boolean; onMerge: (into: Item) => void }

/** Finds the item that a name means. */
function MergeInto({ name, pending, onMerge }: MergeProps) {
  const [typed, setTyped] = useState('')
  const { named, current } = useItemOptions(typed, true)
  const found = current ? named : undefined
  function merge(event: FormEvent) {
    event.preventDefault()
    if (found) onMerge(found)
  }
  return (
    <form className="flex flex-wrap gap-2" onSubmit={merge}>
      <ItemCombobox
        aria-label={t('moderation_merge_item', { name })}
        placeholder={t('moderation_merge_type')}
        className="min-w-48 flex-1"
        autoFocus
        known
        without={name}
        value={typed}
        onValue={setTyped}
      />
      <Button type="submit" variant="outline" disabled={!found || found.name === name || pending}>
        {t('moderation_merge')}
      </Button>
    </form>
  )
}
