import createClient from 'openapi-fetch'
import type { paths } from './api.gen'
import { doubtSession } from './session'
import type { Order, Problem } from './types'

const heardOfWithin = 2_000 // ms until a write is known to every replica
let wroteAt = 0

const patience = 15_000 // ms until a silent server counts as out of reach

/** A refusal or a failure of the server. Status 0 means that no answer came at all. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Partial<Problem>

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail || problem.title || 'The server could not be reached')
    this.name = 'ApiError'
    this.status = status
    this.problem = problem
  }

  /** The server understood and said no: its own sentence says more than ours. */
  get refused(): boolean {
    return this.status >= 400 && this.status < 500
  }

  /** The request as it stands now, where the refusal is about a state that has moved on. */
  get current(): Order | undefined {
    return this.problem.current ?? undefined
  }
}

export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? '',
  // Looked up at each call, so that tests can put their double in its place.
  fetch: (request) => {
    const sent = new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(patience)]) })
    if (sent.method !== 'GET') wroteAt = Date.now()
    // Another replica may not have heard yet of what was just written through one.
    else if (Date.now() - wroteAt < heardOfWithin) sent.headers.set('Cache-Control', 'no-cache')
    return globalThis.fetch(sent)
  },
})

type Answer<T> = { data?: T; error?: unknown; response: Response }

/** Turns an answer into its data, and everything else into an ApiError. */
export async function read<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>
  try {
    answer = await call
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError(0, {})
  }
  if (answer.response.status === 401) doubtSession()
  if (!answer.response.ok) throw new ApiError(answer.response.status, asProblem(answer.error))
  return answer.data as T
}

function asProblem(body: unknown): Partial<Problem> {
  return typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {}
}

/** The header that makes a repeated write have the effect of one. */
export const keyed = (key: string) => ({ header: { 'Idempotency-Key': key } })

/** The sentence to show for a failure: the server's own where it refused, else the one of the action. */
export function sentenceFor(error: unknown, otherwise: string): string {
  return error instanceof ApiError && error.refused ? error.message : otherwise
}
