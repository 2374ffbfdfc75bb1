const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits for a result and for at least ms. A failure rejects immediately. */
export async function leastTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, wait(ms)])
  return result
}
