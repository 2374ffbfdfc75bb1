import { expect, test } from 'vitest'
import { cn } from './cn'

test('a later class for the same thing wins', () => {
  expect(cn('h-10 px-4 text-sm text-primary', 'h-11 px-2')).toBe('text-sm text-primary h-11 px-2')
  expect(cn('size-10', 'h-8')).toBe('size-10 h-8')
  expect(cn('h-8 w-4', 'size-10')).toBe('size-10')
  expect(cn('inline-flex', 'hidden lg:inline-flex')).toBe('hidden lg:inline-flex')
})

test('classes for different things stay', () => {
  expect(cn('text-sm', 'text-destructive', false, 'rounded-md border border-input')).toBe(
    'text-sm text-destructive rounded-md border border-input',
  )
  expect(cn('text-[0.75rem]', 'text-primary')).toBe('text-[0.75rem] text-primary')
  expect(cn('hover:bg-muted', 'bg-card')).toBe('hover:bg-muted bg-card')
})
