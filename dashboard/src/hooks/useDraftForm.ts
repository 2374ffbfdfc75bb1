import { type RefObject, useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldErrors, type Path, type Resolver, useForm } from 'react-hook-form'
import { ApiError, messageFor, messageForSale } from '@/api/client'
import { dropDraft, readDraft, readFilledFrom, saveDraft } from '@/lib/drafts'
import { showToast } from '@/lib/toasts'
import type { FieldErrors as Messages } from '@/lib/validation'
import { useDialogs } from './useDialogs'
import { useIdempotencyKey } from './useIdempotencyKey'

type Options<V> = {
  /** Names the draft in this tab. */
  name: string
  defaults: V
  /** Values that override the draft. */
  fixed?: Partial<V>
  /** The form's validation; the server validates again. */
  check: (values: V) => Messages
  send: (values: V, key: string) => Promise<unknown>
  /** The message if the server gives no reason. */
  failure: string
  /** Set for sales: while the outcome of a write is unknown, only that write is sent again. */
  sale?: boolean
  /** Handles a 4xx response. Returns true if nothing more is to be done. */
  onClientError?: (error: ApiError) => boolean
}

/** A form that saves drafts, validates before sending, and shows the server's messages beside their
 * fields. Errors without a field become the notice. */
export function useDraftForm<V extends Record<string, string>>(options: Options<V>) {
  const { name, defaults } = options
  const latest = useLatest(options)
  const { open } = useDialogs()
  const writes = useIdempotencyKey<V>()
  const [notice, setNotice] = useState('')
  const [draft] = useState(() => readDraft<V>(name))
  const [restored, setRestored] = useState(draft !== null)
  const [filledFrom] = useState(() => readFilledFrom(name))

  const resolver: Resolver<V> = async (values) => {
    const messages = Object.entries(latest.current.check(values))
    if (messages.length === 0) return { values, errors: {} }
    const errors = Object.fromEntries(messages.map(([field, message]) => [field, { type: 'check', message }]))
    return { values: {}, errors: errors as FieldErrors<V> }
  }
  const form = useForm<V>({ defaultValues: { ...defaults, ...draft, ...options.fixed } as DefaultValues<V>, resolver })

  useEffect(() => {
    const watching = form.watch((values, { type }) => type === 'change' && saveDraft(name, values))
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
      if (latest.current.sale) await writes.once(values, latest.current.send)
      else await latest.current.send(values, writes.keyFor(values))
      writes.succeeded()
      dropDraft(name)
      setRestored(false)
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.status === 401 || error.problem.code === 'sign-in') open({ name: 'sign-in' }) // the draft stays
        // The sign-in dialog replaces the form, so its notice would not be seen.
        if (error.problem.code === 'sign-in') showToast(error.problem.detail ?? '', 'error')
        if (error.isClientError && latest.current.onClientError?.(error)) return
        if (placeErrors(error)) return
      }
      setNotice((latest.current.sale ? messageForSale : messageFor)(error, latest.current.failure))
    }
  })

  return {
    form,
    submit,
    notice,
    sending: form.formState.isSubmitting,
    /** The error message of a field, if any. */
    errorOf: (field: Path<V>) => form.formState.errors[field]?.message as string | undefined,
    /** Whether the form opened with a draft. */
    restored,
    /** The request that the draft was filled in from; null if the user typed it. */
    filledFrom,
    startOver() {
      dropDraft(name)
      setRestored(false)
      form.reset(latest.current.defaults as DefaultValues<V>)
    },
  }
}

/** The value of the latest render, for callbacks. */
function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value)
  useEffect(() => {
    ref.current = value
  })
  return ref
}
