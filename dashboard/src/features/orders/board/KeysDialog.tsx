import { Dialog, DialogBody, DialogContent } from '@/components/page-dialog'
import { Kbd } from '@/components/ui/kbd'
import { commandKey } from '@/lib/keyboard'

const keys: [keys: string[], what: string][] = [
  [['J', '↓'], 'Next request'],
  [['K', '↑'], 'Previous request'],
  [['↑'], 'From the first request: sort by a column'],
  [['Enter'], 'Open the request'],
  [['O'], 'Offer on the request, or view its offers if it is yours'],
  [['→', '←'], 'Show or fold the requests of an item'],
  [['Esc'], 'Close the request'],
  [['/'], 'Search'],
  [[commandKey], 'Commands: go to a page, search, post'],
  [['?'], 'Show these keys'],
]

/** The keys of the list. */
export default function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title="Keys" description="They work anywhere on the board while you are not typing.">
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
