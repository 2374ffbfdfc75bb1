import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { deleteAccount } from '@/api/account'
import { QuietDestructiveButton } from '@/components/buttons'
import { DownloadData } from '@/components/download-data'
import { Failure } from '@/components/failure'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/page-dialog'
import { QuestionDialog } from '@/components/question-dialog'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { type DialogProps, useDialogs } from '@/hooks/useDialogs'
import { lazy } from '@/lib/loaded'
import { isOn } from '@/lib/site'
import { t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { SessionList } from './SessionList'

const PlayHours = lazy(() => import('./PlayHours'))
const Programs = lazy(() => import('./Programs'))
const Webhooks = lazy(() => import('./Webhooks'))

/** Account export and account deletion. */
export default function DataDialog({ open, onClose }: DialogProps) {
  const [confirming, setConfirming] = useState(false)
  if (confirming) return <DeleteAccountQuestion open={open} onCancel={() => setConfirming(false)} />
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent title={t('common_your_data')} description={t('session_data_description')} className="sm:max-w-md">
        <DialogBody className="grid justify-items-start gap-4">
          <DownloadData />
          <SessionList />
          {isOn('hours') && (
            <Suspense fallback={<Skeleton className="h-24 w-full" />}>
              <PlayHours />
            </Suspense>
          )}
          {isOn('tokens') && (
            <Suspense fallback={<Skeleton className="h-24 w-full" />}>
              <Programs />
            </Suspense>
          )}
          {isOn('webhooks') && (
            <Suspense fallback={<Skeleton className="h-24 w-full" />}>
              <Webhooks />
            </Suspense>
          )}
        </DialogBody>
        <DialogFooter>
          {/* On a phone the cross at the top is enough, and leaves room for the rest. */}
          <Button variant="ghost" className="max-sm:hidden" onClick={onClose}>
            {t('common_close')}
          </Button>
          <QuietDestructiveButton className="max-sm:h-11" onClick={() => setConfirming(true)}>
            {t('session_delete_account')}
          </QuietDestructiveButton>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

function DeleteAccountQuestion({ open, onCancel }: { open: boolean; onCancel: () => void }) {
  const queryClient = useQueryClient()
  const { go } = useDialogs()
  const deletion = useMutation({
    mutationFn: () => deleteAccount(queryClient),
    onSuccess() {
      go('/')
      showToast(t('session_left'))
    },
  })
  return (
    <QuestionDialog
      open={open}
      onClose={onCancel}
      title={t('session_delete_account')}
      description={t('session_delete_explained')}
      cancel={t('session_keep_account')}
      button={deletion.isPending ? t('common_deleting') : t('session_delete_everything')}
      disabled={deletion.isPending || deletion.isSuccess}
      onConfirm={() => deletion.mutate()}
    >
      <p className="text-muted-foreground text-sm">{t('session_delete_rest')}</p>
      <div className="grid justify-items-start gap-2">
        <DownloadData />
      </div>
      {deletion.isError && <Failure error={deletion.error} fallback={t('session_delete_failed')} />}
    </QuestionDialog>
  )
}
