import createClient from 'openapi-fetch'
import { language } from '@/lib/locale'
import { t } from '@/lib/texts'
import type { paths } from './api.gen'
import { reportSignedOut } from './session'
import type { Order, Problem } from './types'

const propagationDelay = 2_000 // ms until every replica knows of a write
let lastWriteAt = 0

const requestTimeout = 15_000 // ms

/** An error response of the server. Status 0 means that there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Partial<Problem>

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail || problem.title || t('lib_unreachable'))
    this.name = 'ApiError'
    this.status = status
    this.problem = problem
  }

  /** Reports a 4xx response: its own message says more than ours. */
  get isClientError(): boolean {
    return this.status >= 400 && this.status < 500
  }

  /** Reports that the write may or may not have happened: there was no response, or a server or
   * proxy gave up waiting. */
  get outcomeUnknown(): boolean {
    return isUnknown(this.status)
  }

  /** The current version of the request, if the error is a conflict. */
  get current(): Order | undefined {
    return this.problem.current ?? undefined
  }
}

const isUnknown = (status: number) => status === 0 || (status >= 502 && status <= 504)

// How long to wait before a write with an unknown outcome is retried with its idempotency key: a
// retry of a completed write gets the same response. There are no retries after retryUntil.
const retryAfter = [400, 1_600]
const retryUntil = 20_000 // ms

/** The addresses that the document preloads, until they are fetched. A browser uses no preload for a request with a header of ours. */
let ahead: Set<string> | undefined

async function send(request: Request): Promise<Response> {
  ahead ??= new Set([...document.querySelectorAll<HTMLLinkElement>('link[as=fetch]')].map(({ href }) => href))
  const sent = new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(requestTimeout)]) })
  if (!ahead.delete(sent.url)) sent.headers.set('X-Tradepost-Language', language) // of the messages of errors
  if (sent.method !== 'GET') lastWriteAt = Date.now()
  // Another replica may not know of the write yet.
  else if (Date.now() - lastWriteAt < propagationDelay) sent.headers.set('Cache-Control', 'no-cache')
  // Looked up on each call, so that tests can stub it.
  return globalThis.fetch(sent)
}

/** Sends a write, and retries it with its idempotency key until its outcome is known. */
async function sendWithRetry(request: Request): Promise<Response> {
  const start = Date.now()
  for (const pause of retryAfter) {
    try {
      const answer = await send(request.clone())
      if (!isUnknown(answer.status)) return answer
    } catch (cause) {
      if (request.signal.aborted) throw cause
    }
    if (Date.now() - start > retryUntil) break
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return send(request)
}

export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? '',
  fetch: (request) => (request.headers.has('Idempotency-Key') ? sendWithRetry(request) : send(request)),
})

type Result<T> = { data?: T; error?: unknown; response: Response }

/** Returns the data of a response, or throws an ApiError. */
export async function read<T>(call: Promise<Result<T>>): Promise<T> {
  let answer: Result<T>
  try {
    answer = await call
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError(0, {})
  }
  if (answer.response.status === 401) reportSignedOut()
  if (!answer.response.ok) throw new ApiError(answer.response.status, asProblem(answer.error))
  return answer.data as T
}

function asProblem(body: unknown): Partial<Problem> {
  return typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {}
}

/** The header that makes a retried write take effect once. */
export const keyed = (key: string) => ({ header: { 'Idempotency-Key': key } })

/** The message for a write with an unknown outcome. A form keeps its key, so trying again is safe. */
const outcomeUnknown = t('lib_outcome_unknown')

/** Returns the message for a failed sale. It claims a failure only if that is certain. */
export function messageForSale(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.outcomeUnknown ? outcomeUnknown : messageFor(error, fallback)
}

/** Returns the message for an error: the server's own for a 4xx, otherwise the action's. */
export function messageFor(error: unknown, fallback: string): string {
  if (error instanceof ApiError && error.problem.code === 'commit_unknown') return outcomeUnknown
  return error instanceof ApiError && error.isClientError ? error.message : fallback
}
