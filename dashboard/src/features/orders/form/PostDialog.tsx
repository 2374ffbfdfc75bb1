import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { keys } from '@/api/keys'
import { announceNewPosts } from '@/api/newPosts'
import { postOrder } from '@/api/orders'
import type { Order, User } from '@/api/types'
import { DraftNotice } from '@/components/draft-notice'
import { Notice } from '@/components/notice'
import { Dialog, DialogContent } from '@/components/page-dialog'
import { PriceQuestion } from '@/components/price-question'
import { Success } from '@/components/success'
import type { DialogProps } from '@/hooks/useDialogs'
import { useDraftForm } from '@/hooks/useDraftForm'
import { usePriceQuestion } from '@/hooks/usePriceQuestion'
import { askedFor, askedNow } from '@/lib/asked'
import { readLastPost, saveLastPost } from '@/lib/lastPost'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { leastTime } from '@/lib/time'
import { AdvisedFields } from './Advice'
import { Audience } from './Audience'
import { Foot } from './Foot'
import { formClass } from './formClass'
import { FirstFields, OtherFields } from './OrderFields'
import { blankOrder, newOrderForm } from './orderForm'
import { type Standing, StandingChoice, standingInWords } from './StandingChoice'
import { useItemCategory } from './useItemCategory'

const labelShownFor = 1000 // ms that 'Posting...' is shown at least

export default function PostDialog({ open, onClose, user }: DialogProps) {
  const [posted, setPosted] = useState<Order | null>(null)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent
        title={t('orders_post_title')}
        description={t('orders_post_description')}
        className={posted ? 'sm:max-w-xl' : formClass}
      >
        {posted ? (
          <Success title={t('orders_posted_title')} orderId={posted.id} onDone={onClose}>
            {posted.sold > 0 ? t('orders_posted_bought', { quantity: posted.sold }) : t('orders_posted_text')}
          </Success>
        ) : (
          <PostForm user={user} onPosted={setPosted} />
        )}
      </DialogContent>
    </Dialog>
  )
}

type FormProps = { user: User | null; onPosted: (order: Order) => void }

function PostForm({ user, onPosted }: FormProps) {
  const queryClient = useQueryClient()
  const [last] = useState(() => (user ? readLastPost(user.id) : null))
  const [duplicate, setDuplicate] = useState<number>() // the id of an open request that is identical
  const [standing, setStanding] = useState<Standing>('no')
  const stands = isOn('crossing') && user !== null
  const price = usePriceQuestion()
  const draft = useDraftForm({
    name: 'post',
    defaults: { ...blankOrder, buyerContact: user?.username ?? '', ...last },
    schema: newOrderForm,
    failure: t('orders_post_failed'),
    async send(order, key) {
      setDuplicate(undefined)
      price.drop()
      const sent = {
        ...order,
        ...price.answer(order.maxPricePerUnit),
        ...(stands && standing !== 'no' && { standing }),
      }
      const posted = await leastTime(labelShownFor, postOrder(sent, key, askedFor(order.itemName)))
      askedNow()
      if (user) saveLastPost(user.id, { ...order, ign: order.ign ?? '' })
      queryClient.setQueryData(keys.order(posted.id), posted)
      announceNewPosts()
      for (const queryKey of [keys.ownLists, keys.counts, keys.me]) void queryClient.invalidateQueries({ queryKey })
      onPosted(posted)
    },
    onClientError(error) {
      if (error.problem.code === 'duplicate') setDuplicate(error.problem.order)
      return price.ask(error)
    },
  })
  const { form, submit, notice, sending, errorOf } = draft
  useItemCategory(form)
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <AdvisedFields
        form={form}
        audience={(isOn('watches') || isOn('stock')) && user && <Audience form={form} />}
        notices={
          <DraftNotice
            shown={draft.restored}
            filledFrom={draft.filledFrom}
            onStartOver={draft.startOver}
            earlier={draft.earlier && (draft.earlier.itemName || t('orders_another_item'))}
            onGoBack={draft.goBack}
          />
        }
        first={<FirstFields form={form} errorOf={errorOf} />}
      >
        <OtherFields
          form={form}
          errorOf={errorOf}
          help={stands ? t('orders_fold_filled_standing') : t('orders_fold_filled')}
          held={stands && standing !== 'no' && standingInWords(standing)}
        >
          {stands && <StandingChoice value={standing} onValue={setStanding} />}
        </OtherFields>
        {isOn('lists') && user && (
          <p className="mt-4 text-muted-foreground text-sm">
            {rich('orders_many_things', {
              link: (text) => (
                <Link className="underline underline-offset-2" to="/lists/new">
                  {text}
                </Link>
              ),
            })}
          </p>
        )}
      </AdvisedFields>
      <PriceQuestion
        className="mx-5 mb-3"
        question={price.question}
        onUse={(meant) => {
          form.setValue('maxPricePerUnit', meant, { shouldDirty: true, shouldValidate: true })
          price.drop()
        }}
        onKeep={() => {
          price.keep(price.question?.prices[0]?.typed ?? 0)
          void submit()
        }}
      />
      {notice && (
        <Notice className="mx-5 mb-3">
          {notice}{' '}
          {duplicate && (
            <Link className="underline underline-offset-2" to={`/requests/${duplicate}`}>
              {t('orders_show_duplicate')}
            </Link>
          )}
        </Notice>
      )}
      <Foot form={form} sending={sending}>
        {sending ? t('orders_posting') : t('common_post_request')}
      </Foot>
    </form>
  )
}
