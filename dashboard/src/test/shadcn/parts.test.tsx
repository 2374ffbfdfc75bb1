import { render } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { cn } from '@/lib/cn'
import { trustedStyles } from '@/lib/trustedStyles'
import { standInForBrowser } from '../browser'
import { parts, samples, undrawn } from './parts'

const modules = import.meta.glob<Record<string, unknown>>('../../components/ui/*.tsx', { eager: true })
const moduleOf = (file: string) => modules[`../../components/ui/${file}.tsx`]

const kebab = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()

beforeEach(standInForBrowser)

test("components/ui has shadcn/ui's files and nothing else", () => {
  const files = Object.keys(modules).map((path) => path.replace(/.*\/(.*)\.tsx/, '$1'))
  expect(files.sort()).toEqual(Object.keys(parts).sort())
})

describe.each(Object.entries(parts))('%s', (file, names) => {
  test('has its exports', () => {
    expect(Object.keys(moduleOf(file) ?? {}).sort()).toEqual([...names].sort())
  })

  const drawn = names.filter((name) => !undrawn.has(name))
  if (drawn.length === 0) return
  test('its parts have their data-slot, className last, the rest of their props and their ref', () => {
    const refs: Record<string, Element | null> = {}
    const sample = samples[file]
    if (!sample) throw new Error(`there is no sample of ${file}`)
    render(
      sample((name) => ({
        className: 'p-[7px]',
        'data-probe': name,
        ref: (element: Element | null) => {
          refs[name] = element ?? refs[name] ?? null
        },
      })),
    )
    for (const name of drawn) {
      const element = document.querySelector(`[data-probe="${name}"]`)
      expect(element, `${name} is drawn with the props it was given`).not.toBeNull()
      expect(element, name).toHaveAttribute('data-slot', kebab(name))
      const paddings = [...(element?.classList ?? [])].filter((style) => /^-?p[xytrbl]?-/.test(style))
      // Radix gives the value of a select no class: it is drawn as its item is.
      if (name !== 'SelectValue') expect(paddings, `the padding of ${name}`).toEqual(['p-[7px]'])
      expect(refs[name], `the ref of ${name}`).toBe(element)
    }
  })
})

test('the variants match shadcn/ui', () => {
  const button = moduleOf('button')?.buttonVariants as (looks: object) => string
  for (const variant of ['default', 'destructive', 'outline', 'secondary', 'ghost', 'link'])
    expect(button({ variant }), variant).not.toBe(button({ variant: 'none' }))
  for (const size of ['default', 'sm', 'lg', 'icon', 'icon-sm', 'icon-lg'])
    expect(button({ size }), size).not.toBe(button({ size: 'none' }))
  const badge = moduleOf('badge')?.badgeVariants as (looks: object) => string
  for (const variant of ['default', 'secondary', 'destructive', 'outline'])
    expect(badge({ variant }), variant).not.toBe(badge({ variant: 'none' }))
  const toggle = moduleOf('toggle')?.toggleVariants as (looks: object) => string
  for (const size of ['default', 'sm', 'lg']) expect(toggle({ size }), size).not.toBe(toggle({ size: 'none' }))
  expect(toggle({ variant: 'outline' })).not.toBe(toggle({ variant: 'default' }))
})

test("the style sheets that Radix writes as HTML are those that the content security policy's exception names", () => {
  for (const file of ['select', 'scroll-area']) render(samples[file]?.(() => ({})))
  const written = [...document.body.querySelectorAll('style')].map((style) => style.innerHTML)
  expect(written.sort()).toEqual([...trustedStyles].sort())
})

test('cn knows all of Tailwind, and what the page adds to it', () => {
  expect(cn('mt-2', 'mt-4')).toBe('mt-4')
  expect(cn('inset-x-0 ring-2 underline', 'inset-x-4 ring-4 no-underline')).toBe('inset-x-4 ring-4 no-underline')
  expect(cn('grid-cols-2 tracking-tight', 'grid-cols-3 tracking-widest')).toBe('grid-cols-3 tracking-widest')
  expect(cn('shadow-xs max-w-lg animate-spin', 'shadow-lifted max-w-board animate-arrive')).toBe(
    'shadow-lifted max-w-board animate-arrive',
  )
})
