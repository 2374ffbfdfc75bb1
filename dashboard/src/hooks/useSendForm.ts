import { zodResolver } from '@hookform/resolvers/zod'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError, messageFor, messageForSale } from '@/api/client'
import { showToast } from '@/lib/toasts'
import { useDialogs } from './useDialogs'
import { useIdempotencyKey } from './useIdempotencyKey'

export type SendOptions<V extends FieldValues, O> = {
  /** Validates what is typed and makes of it what is sent. The server validates again. */
  schema: z.ZodMiniType<O, V>
  defaults: V
  send: (values: O, key: string) => Promise<unknown>
  /** The message if the server gives no reason. */
  failure: string
  /** Set for sales: while the outcome of a write is unknown, only that write is sent again. */
  sale?: boolean
  /** Handles a 4xx response. Returns true if nothing more is to be done. */
  onClientError?: (error: ApiError) => boolean
}

/** A form that validates before sending, and shows the server's messages beside their fields. Errors
 * without a field become the notice. */
export function useSendForm<V extends FieldValues, O>(options: SendOptions<V, O>) {
  const { schema, defaults } = options
  const latest = useLatest(options)
  const { open } = useDialogs()
  const writes = useIdempotencyKey<O>()
  const [notice, setNotice] = useState('')
  // The types of zodResolver do not follow a schema that is a parameter.
  const resolver = zodResolver(schema) as unknown as Resolver<V, unknown, O>
  const form = useForm<V, unknown, O>({ defaultValues: defaults as DefaultValues<V>, resolver })

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
  }
}

/** The value of the latest render, for callbacks. */
export function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value)
  useEffect(() => {
    ref.current = value
  })
  return ref
}
