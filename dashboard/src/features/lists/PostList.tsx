import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import { ApiError, messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import {
  errorsByLine,
  type ListDraft,
  type ListFix,
  listKeys,
  myListsQuery,
  type PostedList,
  postList,
  previewList,
  readListFixes,
} from '@/api/lists'
import { announceNewPosts } from '@/api/newPosts'
import type { Category, Importance, User } from '@/api/types'
import Choice from '@/components/choice'
import { FixLine } from '@/components/fix-line'
import { FoldLine } from '@/components/fold-line'
import { ItemLine } from '@/components/item-line'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { PageLink } from '@/components/page-link'
import { PriceQuestion } from '@/components/price-question'
import { ProgressBar } from '@/components/progress-bar'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { useDialogs } from '@/hooks/useDialogs'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { usePriceQuestion } from '@/hooks/usePriceQuestion'
import { printCopper } from '@/lib/copper'
import { readDraft, saveDraft } from '@/lib/drafts'
import { sharedFields, sharedLines } from '@/lib/fields'
import { finishDraft } from '@/lib/filledDrafts'
import { game } from '@/lib/game'
import { readLastPost } from '@/lib/lastPost'
import { replaceLine } from '@/lib/lines'
import { lazy } from '@/lib/loaded'
import { categories, categoryName, importanceNames, importances } from '@/lib/market'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ListLines } from './ListLines'

const ListPlan = lazy(() => import('./ListPlan'))

const draftName = 'list'
const importanceOptions = importances.map((value) => ({
  value,
  label: importanceNames[value],
}))
const categoryOptions = categories.map((value) => ({ value, label: categoryName(value) }))

type SharedTexts = Record<(typeof sharedFields)[number]['name'], string>

type Values = SharedTexts & {
  name: string
  text: string
  category: string
  importance: string
}

const blank = Object.fromEntries(sharedFields.map(({ name }) => [name, ''])) as SharedTexts

/** The lines that a link brings, as the bot's does. */
function fromAddress(): Partial<Values> {
  const text = new URLSearchParams(location.search).get('lines')?.slice(0, 4000)
  return text ? { text } : {}
}

/** What is still wanted of a list's own requests, a line each. Asks of sellers go on. */
const linesLeft = (list: PostedList) =>
  list.orders
    .filter((order) => order.status === 'active' && !order.expired && !order.listingId)
    .map((order) => `${order.quantity - order.sold}x ${order.itemName} ${printCopper(BigInt(order.maxPricePerUnit))}`)
    .join('\n')

/** The fields that are not folded. */
const inSight = ['name', 'text']

/** The folded values, as they are posted. */
const held = ({ category, importance, ...texts }: Values) => [
  categoryName(category),
  importanceNames[importance as keyof typeof importanceNames],
  ...sharedFields.flatMap(({ name }) =>
    texts[name].trim() ? [<Typed key={name}>{texts[name].trim().slice(0, 80)}</Typed>] : [],
  ),
]

/** The quantity is typed first, then the price at the end of the line. */
const requestLine = (name: string) => ({ before: '', selected: '1', after: `x ${name} ` })

/** The form for several requests: what is wrong is shown by line, and nothing is posted before all of it is right. */
export function PostList({ user, from }: { user: User; from?: PostedList | undefined }) {
  const queryClient = useQueryClient()
  const { go, open } = useDialogs()
  const writes = useIdempotencyKey()
  const price = usePriceQuestion()
  const text = useRef<HTMLTextAreaElement>(null)
  const name = useRef<HTMLInputElement>(null)
  const [values, setValues] = useState<Values>(() => {
    const last = readLastPost(user.id)
    return {
      ...blank,
      name: '',
      text: '',
      category: game.default,
      importance: 'medium',
      buyerContact: last?.buyerContact || user.username,
      ign: last?.ign ?? '',
      ...readDraft<Values>(draftName),
      ...fromAddress(),
      ...(from ? { name: from.name, text: linesLeft(from) } : {}),
    }
  })
  const [wrong, setErrors] = useState(() => errorsByLine())
  // A field in the fold that is refused opens it.
  const setWrong = (found: typeof wrong) => {
    setErrors(found)
    if ([...found.fields.keys()].some((field) => !inSight.includes(field))) setUnfolded(true)
  }
  const reads = useIdempotencyKey<string>()
  // Lines that were probably meant otherwise. They are asked about once: a second press posts them as they are.
  const [fixes, setFixes] = useState<ListFix[]>([])
  const asked = useRef('')
  const [notice, setNotice] = useState('')
  const [preview, setPreview] = useState<PostedList | null>(null)
  const [planning, setPlanning] = useState(from !== undefined)
  const [busy, setBusy] = useState<'' | 'preview' | 'post'>('')
  const [unfolded, setUnfolded] = useState(values.description !== '')

  function change(part: Partial<Values>) {
    const next = { ...values, ...part }
    setValues(next)
    setPreview(null)
    if (part.text !== undefined) setPlanning(false)
    setFixes([])
    price.drop()
    saveDraft(draftName, next)
  }

  const draft = (): ListDraft => ({
    ...values,
    category: values.category as Category,
    importance: values.importance as Importance,
    ign: values.ign || null,
  })

  /** Reports whether there are lines to ask about that were not shown before. A market that does not answer asks nothing. */
  async function asksAboutLines(): Promise<boolean> {
    const { text } = values
    const known = asked.current === text
    asked.current = text
    const found = text.trim() ? await reads.once(text, readListFixes).catch(() => []) : []
    setFixes(found)
    return !known && found.length > 0
  }

  /** Takes a line as it was probably meant. */
  function fix(number: number, line: string) {
    const text = replaceLine(values.text, number, line)
    if (asked.current === values.text) asked.current = text
    change({ text })
    setFixes(fixes.filter((other) => other.number !== number))
    const { lines, fields } = wrong
    setWrong({ lines: new Map([...lines].filter(([other]) => other !== number)), fields })
  }

  async function send(how: 'preview' | 'post', confirmPrice = false) {
    setBusy(how)
    setNotice('')
    price.drop()
    setWrong(errorsByLine())
    try {
      const body = draft()
      if ((await asksAboutLines()) && how === 'post') {
        text.current?.focus() // the question is below it, and the button may be screens away
        return
      }
      if (how === 'preview') {
        setPreview(await previewList(body, writes.keyFor(['preview', body])))
        return
      }
      const list = await postList(confirmPrice ? { ...body, confirmPrice } : body, writes.keyFor(body))
      writes.succeeded()
      finishDraft(draftName)
      queryClient.setQueryData(listKeys.one(list.id), list)
      announceNewPosts()
      for (const queryKey of [listKeys.mine, keys.ownLists, keys.counts, keys.me])
        void queryClient.invalidateQueries({ queryKey })
      showToast(t('lists_posted', { count: list.orders.length }))
      go(`/lists/${list.id}`)
    } catch (error) {
      if (price.ask(error)) return
      if (error instanceof ApiError && error.status === 401) open({ name: 'sign-in' }) // the draft stays
      const found = errorsByLine(error instanceof ApiError ? error.problem.errors : undefined)
      setWrong(found)
      if (found.lines.size > 0 || found.fields.has('text')) text.current?.focus()
      if (found.lines.size + found.fields.size === 0) setNotice(messageFor(error, t('lists_failed_to_post')))
    } finally {
      setBusy('')
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void send('post')
  }

  /** Selects a line, so that it can be corrected at once. */
  function showLine(number: number) {
    const area = text.current
    if (!area) return
    const lines = values.text.split('\n')
    const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0)
    area.focus()
    area.setSelectionRange(start, start + (lines[number - 1]?.length ?? 0))
  }

  const errorOf = (field: string) => wrong.fields.get(field)
  const unasked = fixes.filter(({ number }) => !wrong.lines.has(number))
  const fixFor = (number: number) => {
    const found = fixes.find((one) => one.number === number)
    return found && <FixLine fix={found.fix} onUse={(line) => fix(number, line)} />
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label={t('lists_name')} error={errorOf('name')} help={t('lists_name_help')}>
        {(field) => (
          <Input
            {...field}
            ref={name}
            value={values.name}
            maxLength={100}
            onChange={(e) => change({ name: e.target.value })}
            placeholder={t('lists_name_example')}
          />
        )}
      </Field>
      <ItemLine area={text} text={values.text} onText={(text) => change({ text })} line={requestLine} />
      <Field label={t('common_requests')} error={errorOf('text')} help={t('lists_lines_help')}>
        {(field) => (
          <Textarea
            {...field}
            ref={text}
            rows={10}
            maxLength={4000}
            spellCheck={false}
            className="font-mono"
            aria-invalid={wrong.lines.size > 0 || errorOf('text') ? true : undefined}
            value={values.text}
            onChange={(e) => change({ text: e.target.value })}
            placeholder={t('lists_lines_example')}
          />
        )}
      </Field>
      <div aria-live="polite">
        {unasked.length > 0 && (
          <Notice tone="info">
            <p>{t('lists_ask_fixes')}</p>
            <ul className="mt-1 grid gap-1">
              {unasked.map(({ number, why, fix: meant }) => (
                <li key={number}>
                  {rich('lists_fix', {
                    line: number,
                    why,
                    fix: <FixLine fix={meant} onUse={(line) => fix(number, line)} />,
                  })}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        {wrong.lines.size > 0 && (
          <Notice>
            <p>{t('lists_wrong', { count: wrong.lines.size })}</p>
            <ul className="mt-1 grid gap-1">
              {[...wrong.lines].map(([number, message]) => (
                <li key={number}>
                  {rich('lists_wrong_line', {
                    number,
                    why: message,
                    fix: fixFor(number),
                    line: (text) => (
                      <button
                        type="button"
                        className="rounded-sm text-start underline underline-offset-2 pointer-coarse:min-h-11"
                        onClick={() => showLine(number)}
                      >
                        {text}
                      </button>
                    ),
                  })}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
      <div className="grid gap-2">
        <FoldLine
          open={unfolded}
          onOpen={setUnfolded}
          controls="list-fold"
          label={t('lists_fold_label')}
          parts={held(values)}
        />
        <div id="list-fold" hidden={!unfolded} className="grid gap-5 pt-3 [&[hidden]]:hidden">
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label={t('common_category')} error={errorOf('category')} help={t('lists_category_help')}>
              {(field) => (
                <Choice
                  {...field}
                  className="w-full"
                  options={categoryOptions}
                  value={values.category}
                  onValue={(category) => change({ category })}
                />
              )}
            </Field>
            <Field label={t('common_importance')} error={errorOf('importance')}>
              {(field) => (
                <Choice
                  {...field}
                  className="w-full"
                  options={importanceOptions}
                  value={values.importance}
                  onValue={(importance) => change({ importance })}
                />
              )}
            </Field>
            <Field label={t('common_discord_username')} error={errorOf('buyerContact')} help={t('lists_contact_help')}>
              {(field) => (
                <Input
                  {...field}
                  value={values.buyerContact}
                  onChange={(e) => change({ buyerContact: e.target.value })}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              )}
            </Field>
            {sharedLines.map(({ name, label }) => (
              <Field key={name} label={label} optional error={errorOf(name)}>
                {(field) => (
                  <Input
                    {...field}
                    value={values[name]}
                    onChange={(e) => change({ [name]: e.target.value })}
                    autoComplete="off"
                    spellCheck={false}
                  />
                )}
              </Field>
            ))}
          </div>
          <Field
            label={t('common_description')}
            optional
            error={errorOf('description')}
            help={t('lists_description_help')}
          >
            {(field) => (
              <Textarea
                {...field}
                rows={2}
                value={values.description}
                onChange={(e) => change({ description: e.target.value })}
              />
            )}
          </Field>
        </div>
      </div>
      <PriceQuestion question={price.question} onKeep={() => void send('post', true)} />
      {notice && <Notice>{notice}</Notice>}
      {preview && (
        <section aria-label={t('lists_preview')} className="grid gap-2">
          <h2 className="text-lg">{t('lists_preview_title', { count: preview.orders.length })}</h2>
          <ListLines orders={preview.orders} />
        </section>
      )}
      {planning && from && <Notice tone="info">{t('lists_plan_replaces', { list: from.name })}</Notice>}
      {planning && (
        <Suspense fallback={<p className="text-muted-foreground text-sm">{t('lists_checking')}</p>}>
          <ListPlan
            text={values.text}
            asked={from === undefined}
            draft={() => {
              const { text: _, ...shared } = draft()
              return from ? { ...shared, replaces: from.id } : shared
            }}
            onFields={(fields) => {
              setWrong({ lines: new Map(), fields })
              if (fields.has('name')) name.current?.focus()
            }}
            onPosted={() => finishDraft(draftName)}
          />
        </Suspense>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        {isOn('listings') && !planning && (
          <Button
            variant="outline"
            className="max-sm:h-11"
            disabled={busy !== '' || !values.text.trim()}
            onClick={() => {
              setPreview(null)
              setPlanning(true)
            }}
          >
            {t('lists_plan')}
          </Button>
        )}
        <Button variant="outline" className="max-sm:h-11" disabled={busy !== ''} onClick={() => void send('preview')}>
          {busy === 'preview' ? t('lists_checking') : t('lists_preview')}
        </Button>
        <Button type="submit" variant={planning ? 'outline' : 'default'} className="max-sm:h-11" disabled={busy !== ''}>
          {busy === 'post' ? t('lists_posting') : t('lists_post')}
        </Button>
      </div>
      <MyLists />
    </form>
  )
}

/** The lists that the user has posted, with their progress. */
function MyLists() {
  const { data = [] } = useQuery(myListsQuery)
  if (data.length === 0) return null
  return (
    <section aria-label={t('lists_own')} className="grid gap-2 border-t pt-5">
      <h2 className="text-lg">{t('lists_own')}</h2>
      <ul className="grid gap-3">
        {data.map((list) => (
          <li key={list.id} className="grid gap-1.5">
            <PageLink
              to={`/lists/${list.id}`}
              className="inline-flex items-center wrap-anywhere underline underline-offset-2 pointer-coarse:min-h-11"
            >
              <Typed>{list.name}</Typed>
            </PageLink>
            <ProgressBar progress={list.progress.percent} label={t('lists_progress', { list: list.name })} />
          </li>
        ))}
      </ul>
    </section>
  )
}
