import { late } from '@/lib/late'

/** The parts of the header for a signed-in user. Visitors never load them. */
export const Account = late(async () => (await import('./OwnBar')).Account)
export const Tabs = late(async () => (await import('./OwnBar')).Tabs)
export const TodoStrip = late(async () => (await import('./TodoStrip')).default)
