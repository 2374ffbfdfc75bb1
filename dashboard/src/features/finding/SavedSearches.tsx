import { Ellipsis, Pencil, Settings, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { addressOf, isNarrow, sameSearch } from '@/api/savedSearch'
import type { Item, Saved } from '@/api/types'
import EmptyState from '@/components/empty-state'
import { ErrorPanel } from '@/components/error-panel'
import { ItemCombobox } from '@/components/item-combobox'
import { Field } from '@/components/labelled-field'
import { MutedBuyers } from '@/components/muted-buyers'
import { PageLink } from '@/components/page-link'
import { PageMenu } from '@/components/page-menu'
import { Button } from '@/components/ui/button'
import { DropdownMenuItem } from '@/components/ui/dropdown-menu'
import { Skeleton } from '@/components/ui/skeleton'
import { useDelayed } from '@/hooks/useDelayed'
import { useDialogs } from '@/hooks/useDialogs'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { EditSaved } from './EditSaved'
import { BellSwitch, OpenCount } from './SavedParts'
import { wordsOf } from './savedWords'
import { type Saving, useSaving } from './useSaving'

/** The user's saved searches, each with its bell; a visitor's are those of this browser. */
export function SavedSearches() {
  const saving = useSaving()
  const { saved, signedIn, isPending, isError } = saving
  const { open } = useDialogs()
  const slow = useDelayed(isPending)
  const list = useRef<HTMLDivElement>(null)
  const rings = signedIn && isOn('watches')
  if (isError) return <ErrorPanel text={t('finding_searches_failed')} query={saving} />
  if (isPending) return slow ? <Skeleton className="h-24" /> : <div className="min-h-24" />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div ref={list} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-4 outline-none">
        {rings && isOn('items') && <AddItem saving={saving} />}
        {saved.length === 0 ? (
          <EmptyState drawing="signpost" title={t('finding_no_searches')} hint={t('finding_no_searches_hint')} />
        ) : (
          <ul aria-label={t('finding_saved_searches')} className="grid divide-y border-y">
            {saved.map((search) => (
              <SavedRow
                key={`${search.watch} ${search.id}`}
                search={search}
                saving={saving}
                onRemoved={() => list.current?.focus()} // the menu's button is gone
              />
            ))}
          </ul>
        )}
      </div>
      {signedIn && (isOn('watches') || isOn('stock')) && (
        <div className="grid justify-items-start gap-4">
          {isOn('listings') && <p className="max-w-prose text-muted-foreground text-sm">{t('finding_needed')}</p>}
          <MutedBuyers />
          <Button variant="outline" className="pointer-coarse:h-11" onClick={() => open({ name: 'notices' })}>
            <Settings /> {t('common_notice_settings')}
          </Button>
        </div>
      )}
    </div>
  )
}

type RowProps = { search: Saved; saving: Saving; onRemoved: () => void }

function SavedRow({ search, saving, onRemoved }: RowProps) {
  const [editing, setEditing] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !editing) menu.current?.focus()
    wasEditing.current = editing
  }, [editing])
  const { name } = search
  const words = wordsOf(search)
  return (
    <li className="py-1.5">
      <div className="flex min-h-12 items-center gap-2 max-sm:min-h-14">
        <div className="min-w-0 flex-1">
          <PageLink
            to={addressOf(search)}
            dir="auto"
            className="touch block truncate font-medium text-sm hover:underline"
          >
            {name}
          </PageLink>
          {words !== name && <p className="text-muted-foreground text-sm wrap-anywhere">{words}</p>}
        </div>
        <OpenCount search={search} />
        <BellSwitch search={search} saving={saving} />
        <PageMenu
          button={
            <Button ref={menu} variant="ghost" size="icon" aria-label={t('finding_more', { name })}>
              <Ellipsis />
            </Button>
          }
        >
          {(choose) => (
            <>
              <DropdownMenuItem onSelect={choose(() => setEditing(true))}>
                <Pencil /> {t('common_change')}
              </DropdownMenuItem>
              <DropdownMenuItem
                variant="destructive"
                onSelect={choose(async () => {
                  if (await saving.unsave(search)) onRemoved()
                })}
              >
                <Trash2 /> {t('common_remove')}
              </DropdownMenuItem>
            </>
          )}
        </PageMenu>
      </div>
      {editing && <EditSaved search={search} saving={saving} onDone={() => setEditing(false)} />}
    </li>
  )
}

/** Saves a search for an item, with a bell, as soon as the item is chosen. */
function AddItem({ saving }: { saving: Saving }) {
  const [typed, setTyped] = useState('')
  function add(item: Item | undefined) {
    if (!item) return
    const draft = { name: '', items: [item.id], way: 'direct' as const }
    setTyped('')
    if (!saving.saved.some((one) => sameSearch(one, draft))) void saving.save(draft, isNarrow(draft))
  }
  return (
    <Field label={t('finding_add_item')}>
      {(control) => (
        <ItemCombobox {...control} known value={typed} onValue={setTyped} onTake={(option) => add(option.item)} />
      )}
    </Field>
  )
}
