import { CircleCheckBig, Copy } from 'lucide-react'
import { SoftButton } from '@/components/buttons'
import { DialogBody, DialogFooter } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { copyText } from '@/lib/clipboard'
import { showToast } from '@/lib/toasts'

type Props = { link: string; replaced?: boolean; onDone: () => void }

/** Tells a visitor that their offer was sent, and shows their private link. It stays until they close it. */
export function OfferLinkSent({ link, replaced = false, onDone }: Props) {
  async function copy() {
    showToast((await copyText(link)) ? 'Link copied' : `Couldn't copy. The link is: ${link}`)
  }
  return (
    <>
      <DialogBody className="grid content-start gap-4">
        <div role="status" className="flex flex-col items-center gap-3 px-2 pt-6 text-center">
          <CircleCheckBig
            aria-hidden
            className="zoom-in-75 size-12 animate-in text-good duration-200"
            strokeWidth={1.5}
          />
          <p className="font-display text-lg">{replaced ? 'Your offer was changed' : 'Your offer was sent'}</p>
          <p className="text-muted-foreground text-sm">The buyer will contact you on Discord.</p>
        </div>
        <section aria-label="Your private link" className="grid gap-2.5 rounded-lg border p-3.5 text-sm">
          <p>
            Keep this private link to see what becomes of your offer and to withdraw it. This browser keeps it, too.
          </p>
          {/* A page of its own: it is loaded with the headers that keep the address private. */}
          <a
            href={link}
            target="_blank"
            rel="noreferrer"
            className="touch rounded-md bg-muted/60 px-3 py-2 text-primary underline underline-offset-4 wrap-anywhere"
          >
            {link}
          </a>
          <SoftButton autoFocus className="max-sm:h-11" onClick={copy}>
            <Copy /> Copy Link
          </SoftButton>
        </section>
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" className="max-sm:h-11" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </>
  )
}
