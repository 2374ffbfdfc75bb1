export const clamp = (n: number, min: number, max: number): number => Math.min(Math.max(n, min), max)

/** Keeps what is typed into a field of whole numbers within bounds. Nothing typed stays nothing. */
export function clampText(text: string, min: number, max: number): string {
  const digits = text.replace(/[^\d-].*$/, '')
  if (digits === '' || digits === '-') return ''
  return String(clamp(Math.trunc(Number(digits)), min, max))
}
