import type { Item } from '@/api/types'

/** What an item was traded for. */
export default function Prices({ item }: { item: Item }) {
  return (
    <section aria-labelledby="worth" className="rounded-lg border bg-card p-4">
      <h2 id="worth" className="text-lg">
        What it is worth
      </h2>
      <p className="mt-2 font-medium">No price yet</p>
      <p className="text-muted-foreground text-sm">
        A price is shown once {item.name} was traded five times, between three pairs of established traders.
      </p>
    </section>
  )
}
