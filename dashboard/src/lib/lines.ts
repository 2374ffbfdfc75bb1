/** A text with another line in the place of the one with a number, from 1. */
export function replaceLine(text: string, number: number, line: string): string {
  return text
    .split('\n')
    .map((old, i) => (i === number - 1 ? line : old))
    .join('\n')
}
