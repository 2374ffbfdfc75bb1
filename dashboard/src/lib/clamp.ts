export const clamp = (n: number, min: number, max: number): number => Math.min(Math.max(n, min), max)

/** Clamps the text of a whole-number field. An empty text stays empty. */
export function clampText(text: string, min: number, max: number): string {
  const digits = text.replace(/[^\d-].*$/, '')
  if (digits === '' || digits === '-') return ''
  return String(clamp(Math.trunc(Number(digits)), min, max))
}
