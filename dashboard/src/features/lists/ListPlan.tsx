import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { listingsChanged } from '@/api/listings'
import { errorsByLine, listKeys, type Plan, type PlanDraft, planQuery, postPlan } from '@/api/lists'
import { announceNewPosts } from '@/api/newPosts'
import { Amount } from '@/components/coins'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { Notice } from '@/components/notice'
import { PriceQuestion } from '@/components/price-question'
import { Button } from '@/components/ui/button'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { usePriceQuestion } from '@/hooks/usePriceQuestion'
import { cn } from '@/lib/cn'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { PlanLineRow } from './PlanLineRow'
import { PlanSellers } from './PlanSellers'
import { draftLines, type Edit, sumOf } from './planSums'

type Prefer = 'price' | 'both' | 'people'

const preferences: { value: Prefer; label: string }[] = [
  { value: 'price', label: t('lists_plan_price') },
  { value: 'both', label: t('lists_plan_both') },
  { value: 'people', label: t('lists_plan_people') },
]

type Props = {
  text: string
  /** Whether a press has asked for it, whose button is gone. */
  asked: boolean
  /** What all lines share. */
  draft: () => Omit<PlanDraft, 'lines'>
  /** What is wrong with the form above. */
  onFields: (fields: Map<string, string>) => void
  onPosted: () => void
}

/** The cheapest way to get the items of a text. It is read again with each change, and posted with one press. */
export default function ListPlan({ text, asked, draft, onFields, onPosted }: Props) {
  const queryClient = useQueryClient()
  const { go, open } = useDialogs()
  const writes = useIdempotencyKey()
  const price = usePriceQuestion()
  const [prefer, setPrefer] = useState<Prefer>('both')
  const [without, setWithout] = useState<{ id: number; name: string }[]>([])
  const [edits, setEdits] = useState<Edit[]>([])
  const [wrong, setWrong] = useState<{ item: string; why: string }[]>([])
  const [notice, setNotice] = useState('')
  const [busy, setBusy] = useState(false)
  const query = useQuery({
    ...planQuery({ text, prefer, without: without.map(({ id }) => id), edits }),
    placeholderData: keepPreviousData,
  })
  const plan = query.data
  const planned = plan !== undefined
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!planned || !asked) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView?.({ block: 'start' }) // it stands below the form
  }, [planned, asked])

  function edit(number: number, part: Partial<Edit>) {
    const before = edits.find((one) => one.number === number) ?? { number }
    setEdits([...edits.filter((one) => one.number !== number), { ...before, ...part }])
  }

  async function post(shown: Plan, confirmPrice = false) {
    if (busy || query.isPlaceholderData) return
    const lines = draftLines(shown)
    const body = { ...draft(), lines, ...(confirmPrice ? { confirmPrice } : {}) }
    setBusy(true)
    setNotice('')
    setWrong([])
    price.drop()
    try {
      const posted = await writes.once(body, (content, key) => postPlan(content as PlanDraft, key))
      onPosted()
      announceNewPosts()
      listingsChanged(queryClient)
      for (const queryKey of [listKeys.mine, keys.counts]) void queryClient.invalidateQueries({ queryKey })
      showToast(t('lists_plan_posted', posted))
      go(`/lists/${posted.listId}`)
    } catch (error) {
      if (price.ask(error)) return
      if (error instanceof ApiError && error.status === 401) open({ name: 'sign-in' })
      const found = errorsByLine(error instanceof ApiError ? error.problem.errors : undefined)
      setWrong([...found.lines].map(([number, why]) => ({ item: lines[number - 1]?.itemName ?? '', why })))
      onFields(found.fields)
      if (found.lines.size === 0) setNotice(messageFor(error, t('lists_plan_failed')))
      void query.refetch() // what is gone is planned another way
    } finally {
      setBusy(false)
    }
  }

  if (!plan)
    return query.isError ? (
      <ErrorPanel text={messageFor(query.error, t('lists_plan_failed_to_load'))} query={query} />
    ) : (
      <Loading label={t('lists_checking')} boxes={['h-24', 'h-40']} className="gap-3" />
    )
  const sum = sumOf(plan)
  return (
    <section aria-label={t('lists_plan_title')} className="grid gap-4" aria-busy={query.isFetching}>
      <header className="grid gap-2">
        <h2 ref={heading} tabIndex={-1} className="scroll-mt-20 text-lg outline-none">
          {t('lists_plan_title')}
        </h2>
        <p role="status" className="tabular font-medium">
          {sum.bought > 0
            ? rich('lists_plan_sum', {
                bought: sum.bought,
                wanted: sum.wanted,
                people: sum.people,
                amount: <Amount value={sum.pays} />,
              })
            : t('lists_plan_none')}
        </p>
        <ul className="grid gap-0.5 text-muted-foreground text-sm">
          {sum.atOnce > 0 && <li>{t('lists_plan_at_once', { quantity: sum.atOnce })}</li>}
          {sum.bought > sum.atOnce && <li>{t('lists_plan_waits', { quantity: sum.bought - sum.atOnce })}</li>}
          {sum.requested > 0 && (
            <li>
              {rich('lists_plan_requested', { quantity: sum.requested, amount: <Amount value={sum.requestPays} /> })}
            </li>
          )}
          {sum.unpriced > 0 && <li>{t('lists_plan_unpriced', { quantity: sum.unpriced })}</li>}
        </ul>
        <fieldset className="flex flex-wrap gap-0.5 justify-self-start rounded-md bg-muted p-0.5">
          <legend className="sr-only">{t('lists_plan_prefer')}</legend>
          {preferences.map(({ value, label }) => (
            <Button
              key={value}
              variant="ghost"
              size="sm"
              aria-pressed={prefer === value}
              onClick={() => setPrefer(value)}
              className={cn(
                'h-8 rounded-sm px-2.5 forced-colors:border pointer-coarse:h-11',
                prefer === value
                  ? 'bg-card text-foreground shadow-card hover:bg-card dark:bg-accent dark:text-accent-foreground'
                  : 'text-muted-foreground',
              )}
            >
              {label}
            </Button>
          ))}
        </fieldset>
      </header>
      <PlanSellers
        sellers={sum.sellers}
        without={without}
        onLeaveOut={(seller) => setWithout([...without, seller])}
        onTakeBack={(id) => setWithout(without.filter((one) => one.id !== id))}
      />
      <ul className="divide-y rounded-lg border bg-card" aria-label={t('lists_plan_lines')}>
        {plan.lines.map((line) => (
          <PlanLineRow
            key={line.number}
            line={line}
            edit={edits.find(({ number }) => number === line.number)}
            onEdit={(part) => edit(line.number, part)}
          />
        ))}
      </ul>
      <div aria-live="polite">
        {wrong.length > 0 && (
          <Notice>
            <p>{t('lists_plan_changed')}</p>
            <ul className="mt-1 grid gap-1">
              {wrong.map(({ item, why }) => (
                <li key={item + why}>{t('lists_plan_changed_line', { item, why })}</li>
              ))}
            </ul>
          </Notice>
        )}
        {notice && <Notice>{notice}</Notice>}
      </div>
      <PriceQuestion question={price.question} onKeep={() => void post(plan, true)} />
      <div className="flex flex-wrap items-center justify-end gap-3">
        <p className="min-w-0 flex-1 basis-56 text-muted-foreground text-sm">{t('lists_plan_suggestion')}</p>
        <Button
          className="max-sm:h-11 max-sm:w-full"
          aria-disabled={busy || sum.bought + sum.requested === 0}
          onClick={() => sum.bought + sum.requested > 0 && void post(plan)}
        >
          {busy ? t('lists_posting') : t('lists_plan_post')}
        </Button>
      </div>
    </section>
  )
}
