// Characters that show nothing, or change how their neighbours are read: the server drops them too.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115f\u1160\u3164\uffa0\u2800\ufffc\ufffd]|\u034f|\u17b4|\u17b5/gu
const trustMarks = /[✓✔✅☑🗸🗹√⍻🛡⛨🔰🔒🔐🏅🎖®℠™©]/gu

/** What the server will keep of a text on one line. */
export function cleanLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').replace(invisible, '').replace(/ +/g, ' ').trim()
}

/** What the server will keep of a name: a line without what could pass for a mark of trust. */
export function cleanName(text: string): string {
  return cleanLine(text.replace(trustMarks, ''))
}

/** What the server will keep of a text of several lines. */
export function cleanProse(text: string): string {
  return text
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map(cleanLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** How many characters a reader would be told: code points, as the server counts them. */
export function lengthOf(text: string): number {
  return [...text].length
}
