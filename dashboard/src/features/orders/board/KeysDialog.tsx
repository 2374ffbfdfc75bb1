import { Dialog, DialogBody, DialogContent } from '@/components/page-dialog'
import { Kbd } from '@/components/ui/kbd'
import { commandKey } from '@/lib/keyboard'
import { t } from '@/lib/texts'

const keys: [keys: string[], what: string][] = [
  [['J', '↓'], t('orders_keys_next')],
  [['K', '↑'], t('orders_keys_previous')],
  [['↑'], t('orders_keys_sort')],
  [['Enter'], t('orders_keys_open')],
  [['O'], t('orders_keys_offer')],
  [['→', '←'], t('orders_keys_fold')],
  [['Esc'], t('orders_close_panel')],
  [['/'], t('orders_keys_search')],
  [[commandKey], t('orders_keys_commands')],
  [['?'], t('orders_keys_show')],
]

/** The keys of the list. */
export default function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={t('orders_keys')} description={t('orders_keys_where')}>
        <DialogBody>
          <dl className="grid gap-2 text-sm">
            {keys.map(([names, what]) => (
              <div key={what} className="flex items-center gap-3">
                <dt className="flex w-20 shrink-0 gap-1">
                  {names.map((name) => (
                    <Kbd key={name}>{name}</Kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
