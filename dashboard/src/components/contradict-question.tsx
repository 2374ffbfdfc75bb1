import { rich, t } from '@/lib/texts'
import { Typed } from './typed'
import { Button } from './ui/button'

type Props = { name: string; what: string; busy: boolean; onSure: () => void; onCancel: () => void }

/** Asks once before the reader contradicts a partner who says that they met: it makes a case for moderators. */
export function ContradictQuestion({ name, what, busy, onSure, onCancel }: Props) {
  return (
    <section aria-label={t('handover_really_not_met', { what })} className="grid gap-2 text-sm">
      <p role="status">{rich('handover_is_it_wrong', { name: <Typed>{name}</Typed> })}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="destructive" disabled={busy} onClick={onSure}>
          {t('handover_not_met_sure')}
        </Button>
        <Button size="sm" variant="outline" disabled={busy} onClick={onCancel}>
          {t('handover_back')}
        </Button>
      </div>
    </section>
  )
}
