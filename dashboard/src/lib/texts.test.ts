import { describe, expect, test } from 'vitest'
import { compile, type Messages, parse, placesOf, pseudo, readMessages } from '../../scripts/messages.mjs'
import { t } from './texts'

const { en = {}, ...others } = readMessages()

/** What a browser with the language would show. */
function shown(message: string, places: object, language = 'en') {
  const compiled = new Function(`return ${compile(parse(message, 'a test'), false)}`)()
  const rules = new Intl.PluralRules(language)
  const forms = (n: number, of: Record<string, string>) => of[`=${n}`] ?? of[rules.select(n)] ?? of.other
  return typeof compiled === 'string'
    ? compiled
    : compiled(places, {
        n: (n: number) => new Intl.NumberFormat(language).format(n),
        p: forms,
        s: (word: string, of: Record<string, string>) => of[word] ?? of.other,
      })
}

describe('messages', () => {
  test.each([
    ['a text', 'It’s < 3, you’re in', {}, 'It’s < 3, you’re in'],
    ['a place', '{item} is here', { item: 'Oak' }, 'Oak is here'],
    ['a number', 'All {count, number}', { count: 12_500 }, 'All 12,500'],
    ['one', '{count, plural, one {# item} other {# items}}', { count: 1 }, '1 item'],
    ['many', '{count, plural, one {# item} other {# items}}', { count: 1200 }, '1,200 items'],
    ['an exact form', '{count, plural, =0 {Nothing} one {# item} other {# items}}', { count: 0 }, 'Nothing'],
    [
      'a word',
      '{kind, select, offer {An offer} other {A request}} of {name}',
      { kind: 'offer', name: 'Ann' },
      'An offer of Ann',
    ],
    ['a word that has no form', '{kind, select, offer {An offer} other {A post}}', { kind: 'list' }, 'A post'],
    ['# outside of a plural', 'Request #{id, number}', { id: 7 }, 'Request #7'],
  ])('write %s', (_, message, places, want) => expect(shown(message, places)).toBe(want))

  test('are written by the rules of their language', () => {
    expect(shown('{count, plural, one {# Stück} few {# few} other {# Stücke}}', { count: 1_000 }, 'de')).toBe(
      '1.000 Stücke',
    )
    expect(shown('{count, plural, one {one} few {few} many {many} other {other}}', { count: 3 }, 'pl')).toBe('few')
  })

  test.each([
    '{0}',
    '{a',
    'a}',
    '<b>x',
    'x</b>',
    '<b>x</i>',
    '{a, plural}',
    '{a, plural, one {x}}',
    '{a, number, x}',
    '{A}',
    '{a, date}',
  ])('are refused when they are no messages: %s', (message) =>
    expect(() => parse(message, 'a test')).toThrow('a test: '),
  )

  test('have the places that their code fills', () => {
    expect(placesOf(parse('{n, plural, other {# <b>{item}</b>}} {kind, select, x {} other {}}', 'a test'))).toEqual({
      n: 'number',
      item: 'text',
      b: 'tag',
      kind: ['other', 'x'],
    })
  })

  test.each(Object.entries(others))('in %s have the same keys and places as in English', (_, messages: Messages) => {
    const places = (of: Messages) =>
      Object.fromEntries(Object.entries(of).map(([key, parts]) => [key, placesOf(parts)]))
    expect(places(messages)).toEqual(places(en))
  })

  test('are a third longer in the language of the journeys', () => {
    const { a = [] } = pseudo({ a: parse('Send Offer now', 'a test') })
    expect(a.join('')).toMatch(/^Send Offer now ē/)
    expect(a.join('').length).toBeGreaterThanOrEqual(18)
  })
})

test('a text of the page is put in by its key', () => {
  expect(t('common_left_of', { left: 2, quantity: 1_000 })).toBe('2 of 1,000 left')
})
