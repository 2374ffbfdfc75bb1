// Phrases that spam uses, matched as in core/suspicion.go. Shared test vectors
// in core/testdata keep the two in step.
import lookAlikesByLetter from '../../../core/confusables.json'
import { rules } from './rules.gen'

const lookAlikes = new Map<string, string>()
for (const [letter, alike] of Object.entries(lookAlikesByLetter)) {
  for (const character of alike) lookAlikes.set(character, letter)
}

function alike(word: string): string {
  let letters = ''
  for (const character of word) {
    letters += lookAlikes.get(character) ?? (/[\p{L}\p{Nd}]/u.test(character) ? character : '')
  }
  return letters
}

/**
 * Returns the words of a text without case, width, marks and punctuation, with one letter for all that look alike.
 * Letters that stand one by one are a word, which is listed in `spelled` too.
 */
function skeletons(text: string): { words: string[]; spelled: string[] } {
  const words: string[] = []
  const spelled: string[] = []
  let one = ''
  const end = () => {
    if (one !== '') words.push(lookingAlike(one))
    if ([...one].length > 1) spelled.push(lookingAlike(one))
    one = ''
  }
  for (const part of text.normalize('NFKD').split(/\s+/u)) {
    const word = alike(alike(part).toLowerCase())
    if ([...word].length <= 1) {
      one += word
      continue
    }
    end()
    words.push(lookingAlike(word))
  }
  end()
  return { words, spelled }
}

const lookingAlike = (word: string) => word.replaceAll('i', 'l').replaceAll('rn', 'm')

const wanted = rules.suspiciousPhrases.map((phrase) => [phrase, skeletons(phrase).words] as const)

function beginsAt(words: string[], start: number, phrase: readonly string[]): boolean {
  if (words[start]?.startsWith(phrase.join(''))) return true
  return phrase.every((word, i) => {
    const other = words[start + i] ?? ''
    return i === phrase.length - 1 ? other.startsWith(word) : other === word
  })
}

function phrasesIn(text: string): string[] {
  const { words, spelled } = skeletons(text)
  return wanted
    .filter(
      ([, phrase]) =>
        words.some((_, i) => beginsAt(words, i, phrase)) || spelled.some((word) => word.includes(phrase.join(''))),
    )
    .map(([phrase]) => phrase)
}

/** Reports whether a cleaned text contains a phrase that the earlier one did not. */
export function addsSuspicion(text: string, before = ''): boolean {
  const known = phrasesIn(before)
  return text !== before && phrasesIn(text).some((phrase) => !known.includes(phrase))
}
