import { type ClassValue, clsx } from 'clsx'
import { createTailwindMerge } from 'tailwind-merge'

const any = () => true
const sizes = ['xs', 'sm', 'base', 'lg', 'xl', (value: string) => /^\[[\d.]/.test(value)]
const borderSides = ['', 'x', 'y', 't', 'r', 'b', 'l']

// tailwind-merge knows every class of Tailwind, which is more code than all of our components. These are the ones by
// which our components are adjusted from outside; add a group here when another is.
const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: {
    display: ['block', 'inline-block', 'flex', 'inline-flex', 'grid', 'inline-grid', 'hidden', 'contents'],
    position: ['static', 'fixed', 'absolute', 'relative', 'sticky'],
    size: [{ size: [any] }],
    height: [{ h: [any] }],
    minHeight: [{ 'min-h': [any] }],
    maxHeight: [{ 'max-h': [any] }],
    width: [{ w: [any] }],
    maxWidth: [{ 'max-w': [any] }],
    padding: [{ p: [any] }],
    paddingX: [{ px: [any] }],
    paddingY: [{ py: [any] }],
    paddingTop: [{ pt: [any] }],
    paddingRight: [{ pr: [any] }],
    paddingBottom: [{ pb: [any] }],
    paddingLeft: [{ pl: [any] }],
    gap: [{ gap: [any] }],
    textSize: [{ text: sizes }],
    textAlign: [{ text: ['left', 'center', 'right'] }],
    textColor: [{ text: [any] }],
    background: [{ bg: [any] }],
    radius: [{ rounded: ['', any] }],
    borderWidth: [{ border: ['0', '2', ...borderSides] }],
    justify: [{ justify: [any] }],
    items: [{ items: [any] }],
  },
  conflictingClassGroups: {
    size: ['width', 'height'],
    padding: ['paddingX', 'paddingY', 'paddingTop', 'paddingRight', 'paddingBottom', 'paddingLeft'],
    paddingX: ['paddingRight', 'paddingLeft'],
    paddingY: ['paddingTop', 'paddingBottom'],
  },
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: ['before', 'after', '*', '**', 'placeholder'],
}))

/** Joins class names; of two Tailwind classes for the same thing the later one wins. */
export function cn(...inputs: ClassValue[]) {
  return merge(clsx(inputs))
}
