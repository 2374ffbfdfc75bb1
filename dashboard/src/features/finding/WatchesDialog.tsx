import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pause, Play, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { messageFor } from '@/api/client'
import { completionsQuery, itemQuery } from '@/api/items'
import { describeSearch, searchOf } from '@/api/savedSearch'
import type { Item, Watch, WatchDraft } from '@/api/types'
import { addWatch, deleteWatch, pauseWatch, triedQuery, unmuteBuyer, watchesKey, watchesQuery } from '@/api/watches'
import { ErrorPanel } from '@/components/error-panel'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { filterAt } from '@/hooks/useBrowseFilter'
import { useDelayedValue } from '@/hooks/useDelayedValue'
import type { DialogProps } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { clampText } from '@/lib/clamp'
import { formatDayAndTime, formatNumber } from '@/lib/format'
import { limits } from '@/lib/market'
import { isOn } from '@/lib/site'
import { showToast } from '@/lib/toasts'

const ways = { direct: 'A direct message at once', digest: 'One direct message a day', inbox: 'In my inbox only' }
const pauses = { 0: 'None', 60: 'An hour', 360: 'Six hours', 1440: 'A day' }

/** Watches what the board shows, and lists, pauses and removes watches. */
export default function WatchesDialog({ open, onClose }: DialogProps) {
  const { data, isError, isFetching, refetch } = useQuery(watchesQuery)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent
        title="My Watches"
        description="We tell you of new requests that fit what you watch."
        className="sm:max-w-md"
      >
        <DialogBody className="grid content-start gap-6 pb-6">
          {isError ? (
            <ErrorPanel
              text="Failed to load your watches. Please try again."
              retrying={isFetching}
              onRetry={() => void refetch()}
            />
          ) : (
            <>
              <WatchForm full={(data?.watches.length ?? 0) >= limits.watches} />
              {data && data.watches.length > 0 && (
                <ul aria-label="Watches" className="grid divide-y border-y">
                  {data.watches.map((watch) => (
                    <WatchRow key={watch.id} watch={watch} />
                  ))}
                </ul>
              )}
              {data && data.mutedBuyers.length > 0 && <MutedBuyers buyers={data.mutedBuyers} />}
            </>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

/** The item whose page is shown; undefined on other pages. */
function useShownItem() {
  const { pathname } = useLocation()
  const id = Number(/^\/items\/(\d+)/.exec(pathname)?.[1] ?? 0)
  return useQuery({ ...itemQuery(id), enabled: id > 0 }).data
}

/** The item that the words of a search name; undefined for none. */
function useNamedItem(words: string) {
  const { data } = useQuery({ ...completionsQuery(words), enabled: words !== '' && isOn('items') })
  return words === '' ? undefined : data?.named
}

/** What a watch is for: what the board shows, an item, or all items of its kind. */
type Subject = 'words' | 'item' | 'kind'

const subjectOf = (item: Item, subject: Subject) => (subject === 'kind' ? { kind: item.kind } : { items: [item.id] })

function subjects({ name, kind }: Item, words: string | undefined): { value: Subject; label: string }[] {
  return [
    ...(words ? [{ value: 'words' as const, label: `What the board shows: ${words}` }] : []),
    { value: 'item', label: `This item: ${name}` },
    ...(kind ? [{ value: 'kind' as const, label: `All of its kind: ${kind}` }] : []),
  ]
}

/** Watches the item whose page is shown, or what the board shows now. */
function WatchForm({ full }: { full: boolean }) {
  const [params] = useSearchParams()
  const queryClient = useQueryClient()
  const { sort: _, view: __, name: ___, ...shown } = searchOf(filterAt(params), 'cards', '')
  const page = useShownItem()
  const named = useNamedItem(page ? '' : (shown.q ?? ''))
  const item = page ?? named
  const [chosen, choose] = useState<Subject>()
  const subject: Subject = chosen ?? (page ? 'item' : 'words')
  const filter = !item || subject === 'words' ? shown : { ...(page ? {} : shown), q: '', ...subjectOf(item, subject) }
  const narrow = item !== undefined || Boolean(shown.q || shown.category?.length || shown.forMe)
  const [least, setLeast] = useState('')
  const [way, setWay] = useState<keyof typeof ways>('direct')
  const [pause, setPause] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [sending, setSending] = useState(false)
  const writes = useIdempotencyKey<WatchDraft>()
  const draft: WatchDraft = { ...filter, minQuantity: Number(least) || 0, way, pause }
  const tried = useQuery({ ...triedQuery(useDelayedValue(draft, 300)), enabled: narrow })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (sending) return
    setSending(true)
    setProblem(undefined)
    try {
      const watch = await writes.once(draft, addWatch)
      await queryClient.invalidateQueries({ queryKey: watchesKey })
      showToast(`You watch “${watch.name}”.`)
    } catch (error) {
      setProblem(messageFor(error, 'Failed to save it. Please try again.'))
    }
    setSending(false)
  }

  if (!narrow) {
    return (
      <p className="text-muted-foreground text-sm">
        To watch something new, search the board for it or pick a profession, and come back here.
      </p>
    )
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      {item && (item.kind || named) ? (
        <fieldset className="grid text-sm">
          <legend className="mb-1 font-medium">Watch</legend>
          {subjects(item, page ? undefined : describeSearch({ ...shown, name: '' })).map(({ value, label }) => (
            <label key={value} className="flex min-h-9 cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
              <input
                type="radio"
                name="subject"
                checked={subject === value}
                onChange={() => choose(value)}
                className="size-4.5 shrink-0 cursor-pointer accent-primary"
              />
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {label}
              </span>
            </label>
          ))}
        </fieldset>
      ) : (
        <div className="text-sm">
          <p className="font-medium">{item ? 'Watch this item' : 'Watch what the board shows now'}</p>
          <p dir="auto" className="text-muted-foreground">
            {item ? item.name : describeSearch({ ...shown, name: '' })}
          </p>
        </div>
      )}
      <div className="grid grid-cols-2 gap-4">
        <Field label="At least">
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              placeholder="Any quantity"
              value={least}
              className="h-10 pointer-coarse:h-11"
              onChange={(event) => setLeast(clampText(event.target.value, 0, limits.quantity))}
            />
          )}
        </Field>
        <Field label="Pause between messages">
          {(control) => (
            <Choice {...control} value={pause} options={pauses} onChange={(value) => setPause(Number(value))} />
          )}
        </Field>
      </div>
      <Field label="Tell me by">
        {(control) => (
          <Choice {...control} value={way} options={ways} onChange={(value) => setWay(value as keyof typeof ways)} />
        )}
      </Field>
      <p role="status" className="min-h-5 text-muted-foreground text-sm">
        {tried.data &&
          `In the last ${tried.data.days} days, ${formatNumber(tried.data.fired)} ${tried.data.fired === 1 ? 'request' : 'requests'} would have fit.`}
      </p>
      {full && <Notice>You have {limits.watches} watches. Remove one to add another.</Notice>}
      {problem && <Notice>{problem}</Notice>}
      <Button type="submit" className="justify-self-start max-sm:h-11" disabled={sending || full}>
        {sending ? 'Saving...' : 'Watch'}
      </Button>
    </form>
  )
}

type ChoiceProps = {
  value: string | number
  options: Record<string | number, string>
  onChange: (value: string) => void
}

function Choice({ value, options, onChange, ...control }: ChoiceProps & { id?: string }) {
  return (
    <select
      {...control}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-10 w-full rounded-md border border-input bg-transparent px-2.5 text-sm pointer-coarse:h-11 dark:bg-popover"
    >
      {Object.entries(options).map(([key, label]) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
    </select>
  )
}

function WatchRow({ watch }: { watch: Watch }) {
  const queryClient = useQueryClient()
  const [error, setError] = useState<unknown>()
  const writes = useIdempotencyKey()
  const act = async (content: unknown[], send: (key: string) => Promise<unknown>) => {
    setError(undefined)
    try {
      await writes.once(content, (_, key) => send(key))
      await queryClient.invalidateQueries({ queryKey: watchesKey })
    } catch (failure) {
      setError(failure)
    }
  }
  const label = watch.paused ? 'Resume' : 'Pause'
  return (
    <li className="flex items-center gap-1 py-2">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate font-medium text-sm">
          {watch.name}
        </p>
        <p className="truncate text-muted-foreground text-xs">{stateOf(watch)}</p>
        {error !== undefined && <Notice>{messageFor(error, 'Failed to change it. Please try again.')}</Notice>}
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`${label} ${watch.name}`}
        onClick={() => act(['pause', watch.id, !watch.paused], (key) => pauseWatch(watch.id, !watch.paused, key))}
      >
        {watch.paused ? <Play /> : <Pause />}
      </Button>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Remove ${watch.name}`}
        onClick={async () => {
          await act(['remove', watch.id], (key) => deleteWatch(watch.id, key))
          document.querySelector<HTMLElement>('[role=dialog]')?.focus() // the button is gone
        }}
      >
        <Trash2 />
      </Button>
    </li>
  )
}

/** What a watch does, in a few words. */
function stateOf(watch: Watch): string {
  if (watch.paused) return 'Paused'
  if (watch.snoozedUntil && Date.parse(watch.snoozedUntil) > Date.now()) {
    return `Quiet until ${formatDayAndTime(watch.snoozedUntil)}`
  }
  const parts = [ways[watch.way], watch.minQuantity > 0 && `at least ${formatNumber(watch.minQuantity)}`]
  return parts.filter(Boolean).join(' · ')
}

function MutedBuyers({ buyers }: { buyers: readonly { id: number; username: string }[] }) {
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey<number>()
  const hear = async (id: number) => {
    try {
      await writes.once(id, unmuteBuyer)
      await queryClient.invalidateQueries({ queryKey: watchesKey })
      document.querySelector<HTMLElement>('[role=dialog]')?.focus()
    } catch (error) {
      showToast(messageFor(error, 'Failed to change it. Please try again.'), 'error')
    }
  }
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 font-medium text-sm">Buyers you hear nothing of</legend>
      {buyers.map(({ id, username }) => (
        <div key={id} className="flex min-h-9 items-center justify-between gap-3 text-sm pointer-coarse:min-h-11">
          <span dir="auto" className="min-w-0 truncate">
            {username}
          </span>
          <Button variant="outline" size="sm" aria-label={`Hear of ${username} again`} onClick={() => hear(id)}>
            Hear again
          </Button>
        </div>
      ))}
    </fieldset>
  )
}
