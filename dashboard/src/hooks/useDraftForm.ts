import { type RefObject, useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldErrors, type Path, type Resolver, useForm } from 'react-hook-form'
import { ApiError, sentenceFor } from '@/api/client'
import { dropDraft, keepDraft, readDraft } from '@/lib/drafts'
import type { FieldErrors as Sentences } from '@/lib/validation'
import { useDialogs } from './useDialogs'
import { useIdempotencyKey } from './useIdempotencyKey'

type Options<V> = {
  /** Names the draft in this tab. */
  name: string
  defaults: V
  /** What is not the reader's to say, whatever a draft holds. */
  fixed?: Partial<V>
  /** The form's own rules; the server's come on top. */
  check: (values: V) => Sentences
  send: (values: V, key: string) => Promise<unknown>
  /** What to say when the service has no better reason to give. */
  failure: string
  /** Deals with a refusal itself; true ends the matter. */
  onRefused?: (error: ApiError) => boolean
}

/** A form that keeps what was typed, checks it before it is sent, and puts each of the server's sentences beside its
 * field. What has no field, and failures, become the notice. */
export function useDraftForm<V extends Record<string, string>>(options: Options<V>) {
  const { name, defaults } = options
  const latest = useLatest(options)
  const { open } = useDialogs()
  const writes = useIdempotencyKey()
  const [notice, setNotice] = useState('')
  const [draft] = useState(() => readDraft<V>(name))
  const [restored, setRestored] = useState(draft !== null)

  const resolver: Resolver<V> = async (values) => {
    const sentences = Object.entries(latest.current.check(values))
    if (sentences.length === 0) return { values, errors: {} }
    const errors = Object.fromEntries(sentences.map(([field, message]) => [field, { type: 'check', message }]))
    return { values: {}, errors: errors as FieldErrors<V> }
  }
  const form = useForm<V>({ defaultValues: { ...defaults, ...draft, ...options.fixed } as DefaultValues<V>, resolver })

  useEffect(() => {
    const watching = form.watch((values, { type }) => type === 'change' && keepDraft(name, values))
    return () => watching.unsubscribe()
  }, [form, name])

  function placeErrors(error: ApiError): boolean {
    const known = Object.entries(error.problem.errors ?? {}).filter(([field]) => field in defaults)
    known.forEach(([field, message], i) => {
      form.setError(field as Path<V>, { type: 'server', message }, { shouldFocus: i === 0 })
    })
    return known.length > 0
  }

  const submit = form.handleSubmit(async (values) => {
    setNotice('')
    try {
      await latest.current.send(values, writes.keyFor(values))
      writes.wentThrough()
      dropDraft(name)
      setRestored(false)
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.status === 401) open({ name: 'sign-in' }) // the draft waits
        if (error.refused && latest.current.onRefused?.(error)) return
        if (placeErrors(error)) return
      }
      setNotice(sentenceFor(error, latest.current.failure))
    }
  })

  return {
    form,
    submit,
    notice,
    sending: form.formState.isSubmitting,
    /** The sentence of a field, if any. */
    errorOf: (field: Path<V>) => form.formState.errors[field]?.message as string | undefined,
    /** Whether the form opened with what was typed earlier. */
    restored,
    startOver() {
      dropDraft(name)
      setRestored(false)
      form.reset(latest.current.defaults as DefaultValues<V>)
    },
  }
}

/** The value of the latest render, for what happens after it. */
function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value)
  useEffect(() => {
    ref.current = value
  })
  return ref
}
