import { TraderView } from '@/features/traders/TraderView'

/** A trader at their own URL. The number in it is this market's, and says nothing about the Discord account. */
export default function TraderPage({ id }: { id: string }) {
  return (
    <div className="mx-auto max-w-2xl">
      <TraderView id={Number(id)} />
    </div>
  )
}
