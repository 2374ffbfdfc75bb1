// Characters that are invisible or change how their neighbours are read. The server drops them too.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115f\u1160\u3164\uffa0\u2800\ufffc\ufffd]|\u034f|\u17b4|\u17b5/gu
const trustMarks = /[✓✔✅☑🗸🗹🮱𐄂√⍻🛡⛨🔰🔒🔐🏅🎖®℠™©]/gu

/** Cleans a single-line text as the server does. */
export function cleanLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').replace(invisible, '').replace(/ +/g, ' ').trim()
}

/** Cleans a name as the server does: a single line without marks that suggest verification. */
export function cleanName(text: string): string {
  return cleanLine(text.replace(trustMarks, ''))
}

/** Cleans a multi-line text as the server does. */
export function cleanProse(text: string): string {
  return text
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map(cleanLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns the number of code points, as the server counts them. */
export function lengthOf(text: string): number {
  return [...text].length
}
