const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits for a result, and when it comes sooner than ms, for the rest of that time. A failure is told at once. */
export async function leastTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, wait(ms)])
  return result
}
