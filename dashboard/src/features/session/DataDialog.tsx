import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteAccount } from '@/api/me'
import { DownloadData } from '@/components/download-data'
import { Failure } from '@/components/failure'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/page-dialog'
import { QuestionDialog } from '@/components/question-dialog'
import { Button } from '@/components/ui/button'
import { type DialogProps, useDialogs } from '@/hooks/useDialogs'
import { showToast } from '@/lib/toasts'
import { SessionList } from './SessionList'

/** Account export and account deletion. */
export default function DataDialog({ open, onClose }: DialogProps) {
  const [confirming, setConfirming] = useState(false)
  if (confirming) return <DeleteAccountQuestion open={open} onCancel={() => setConfirming(false)} />
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      <DialogContent
        title="Your Data"
        description="Your Discord ID, name and e-mail address; your requests and sales; the offers you've sent; your notices and their settings."
        className="sm:max-w-md"
      >
        <DialogBody className="grid justify-items-start gap-4">
          <DownloadData />
          <SessionList />
        </DialogBody>
        <DialogFooter>
          <Button variant="ghost" className="max-sm:h-11" onClick={onClose}>
            Close
          </Button>
          <Button variant="destructive" className="max-sm:h-11" onClick={() => setConfirming(true)}>
            Delete My Account
          </Button>
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
      showToast("You've left. Your data will be deleted in 14 days.")
    },
  })
  return (
    <QuestionDialog
      open={open}
      onClose={onCancel}
      title="Delete My Account"
      description="Your requests, the offers you've sent, your notices and your settings are hidden at once and deleted after 14 days. Until then you can sign in and cancel it, but the offers on your requests and those you've sent don't come back. Trades that a moderator settled against you count for 180 days, also if you come back."
      cancel="Keep My Account"
      button={deletion.isPending ? 'Deleting...' : 'Delete Everything'}
      disabled={deletion.isPending || deletion.isSuccess}
      onConfirm={() => deletion.mutate()}
    >
      <p className="text-muted-foreground text-sm">
        Sales to others stay, without your name. Who made a deal with you keeps your contact for 90 more days. For as
        long, a hash of your Discord account remembers blocks, open reports and how much you posted.
      </p>
      <div className="grid justify-items-start gap-2">
        <DownloadData />
      </div>
      {deletion.isError && (
        <Failure error={deletion.error} fallback="Failed to delete your account. Please try again." />
      )}
    </QuestionDialog>
  )
}
