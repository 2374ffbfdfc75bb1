import { CircleCheckBig, Copy } from 'lucide-react'
import { SoftButton } from '@/components/buttons'
import { DialogBody, DialogFooter } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { copyText } from '@/lib/clipboard'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'

type Props = { link: string; replaced?: boolean; onDone: () => void }

/** Tells a visitor that their offer was sent, and shows their private link. It stays until they close it. */
export function OfferLinkSent({ link, replaced = false, onDone }: Props) {
  async function copy() {
    showToast((await copyText(link)) ? t('offers_link_copied') : t('offers_link_not_copied', { link }))
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
          <p className="font-display text-lg">{replaced ? t('offers_was_changed') : t('offers_was_sent')}</p>
          <p className="text-muted-foreground text-sm">{t('offers_buyer_contacts_you')}</p>
        </div>
        <section aria-label={t('offers_private_link')} className="grid gap-2.5 rounded-lg border p-3.5 text-sm">
          <p>{t('offers_private_link_hint')}</p>
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
            <Copy /> {t('common_copy_link')}
          </SoftButton>
        </section>
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" className="max-sm:h-11" onClick={onDone}>
          {t('offers_done')}
        </Button>
      </DialogFooter>
    </>
  )
}
