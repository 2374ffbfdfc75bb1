import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '@/api/keys'
import { listingsChanged } from '@/api/listings'
import { blockUser, removeListing, reportListing } from '@/api/moderation'
import type { Listing } from '@/api/types'
import { Dialog, DialogContent } from '@/components/page-dialog'
import { ReasonForm } from '@/components/reason-form'
import { Success } from '@/components/success'
import { Typed } from '@/components/typed'
import { printCopper } from '@/lib/copper'
import { rich, t } from '@/lib/texts'

const words = {
  report: {
    title: t('moderation_report_listing_open'),
    help: t('moderation_report_help'),
    button: t('moderation_report_send'),
    busy: t('common_sending'),
    failure: t('moderation_report_failed'),
    done: t('moderation_report_sent'),
  },
  remove: {
    title: t('moderation_remove_listing'),
    help: t('moderation_remove_listing_help'),
    button: t('moderation_remove_listing'),
    busy: t('moderation_removing'),
    failure: t('moderation_remove_listing_failed'),
    done: t('moderation_listing_removed'),
  },
  block: {
    title: t('moderation_block_seller'),
    help: t('moderation_block_help'),
    button: t('moderation_block_seller'),
    busy: t('common_blocking'),
    failure: t('moderation_block_seller_failed'),
    done: t('moderation_seller_blocked'),
  },
}

export type ListingAct = keyof typeof words

type Props = { listing: Listing; act: ListingAct; onClosed: () => void }

/** Asks why a listing is reported or taken off sale, or its seller blocked. The listing stays in sight until it is closed. */
export default function ListingDialog({ listing, act, onClosed }: Props) {
  const queryClient = useQueryClient()
  const [done, setDone] = useState(false)
  const text = words[act]
  const { id, itemName, quantity, price, note, seller } = listing

  async function send(reason: string, key: string) {
    if (act === 'report') await reportListing(id, reason, key)
    else if (act === 'remove') await removeListing(id, reason, key)
    else await blockUser(seller.id, reason, key)
    setDone(true)
  }

  function close() {
    onClosed()
    if (!done || act === 'report') return
    listingsChanged(queryClient)
    for (const queryKey of [keys.lists, keys.reports, keys.audit, keys.blocks])
      void queryClient.invalidateQueries({ queryKey })
  }

  return (
    <Dialog open onOpenChange={(stays) => !stays && close()}>
      <DialogContent title={text.title} className="sm:max-w-md">
        {done ? (
          <Success title={text.done} onDone={close} />
        ) : (
          <ReasonForm
            name={`${act}.listing.${id}`}
            help={text.help}
            button={text.button}
            busy={text.busy}
            destructive={act !== 'report'}
            failure={text.failure}
            send={send}
            onCancel={close}
          >
            <div className="grid gap-1 text-sm">
              <p className="wrap-anywhere">
                {rich('moderation_report_on_listing', {
                  item: <Typed>{itemName}</Typed>,
                  owner: <Typed>{seller.username}</Typed>,
                })}
              </p>
              <p className="text-muted-foreground wrap-anywhere">
                {note
                  ? rich('moderation_report_listing', {
                      quantity,
                      price: printCopper(BigInt(price)),
                      note: <Typed>{note}</Typed>,
                    })
                  : t('moderation_report_listing_plain', { quantity, price: printCopper(BigInt(price)) })}
              </p>
            </div>
          </ReasonForm>
        )}
      </DialogContent>
    </Dialog>
  )
}
