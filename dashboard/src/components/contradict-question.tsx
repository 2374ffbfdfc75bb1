import { Typed } from './typed'
import { Button } from './ui/button'

type Props = { name: string; what: string; busy: boolean; onSure: () => void; onCancel: () => void }

/** Asks once before the reader contradicts a partner who says that they met: it makes a case for moderators. */
export function ContradictQuestion({ name, what, busy, onSure, onCancel }: Props) {
  return (
    <section aria-label={`Did it really not happen: ${what}?`} className="grid gap-2 text-sm">
      <p role="status">
        <Typed>{name}</Typed> says you met. Is that wrong?
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="destructive" disabled={busy} onClick={onSure}>
          Yes, it did not happen
        </Button>
        <Button size="sm" variant="outline" disabled={busy} onClick={onCancel}>
          Back
        </Button>
      </div>
    </section>
  )
}
