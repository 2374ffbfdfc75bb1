import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// What index.css adds to Tailwind's own names.
const merge = extendTailwindMerge({
  extend: {
    theme: {
      animate: ['arrive', 'highlight', 'shimmer', 'late'],
      breakpoint: ['xs'],
      container: ['board'],
      shadow: ['card', 'lifted'],
    },
  },
})

/** Joins class names; of two Tailwind classes for the same thing the later one wins. */
export function cn(...inputs: ClassValue[]) {
  return merge(clsx(inputs))
}
