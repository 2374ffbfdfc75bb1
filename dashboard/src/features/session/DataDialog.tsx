import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { accountExportAddress, deleteAccount } from '@/api/me'
import { Notice } from '@/components/notice'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/page-dialog'
import { Button } from '@/components/ui/button'
import { type DialogProps, useDialogs } from '@/hooks/useDialogs'
import { showToast } from '@/lib/toasts'
import { SessionList } from './SessionList'

/** Account export and account deletion. */
export default function DataDialog({ open, onClose }: DialogProps) {
  const [confirming, setConfirming] = useState(false)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      {confirming ? (
        <DeleteAccountQuestion onCancel={() => setConfirming(false)} />
      ) : (
        <DialogContent
          title="Your Data"
          description="Your Discord ID, name and e-mail address; your requests and sales; the offers you've sent; your notices and their settings."
          className="sm:max-w-md"
        >
          <DialogBody className="grid justify-items-start gap-4">
            <Button asChild variant="outline">
              <a href={accountExportAddress} download>
                Download My Data
              </a>
            </Button>
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
      )}
    </Dialog>
  )
}

function DeleteAccountQuestion({ onCancel }: { onCancel: () => void }) {
  const queryClient = useQueryClient()
  const { go } = useDialogs()
  const deletion = useMutation({
    mutationFn: () => deleteAccount(queryClient),
    onSuccess() {
      go('/')
      showToast('Your account and your data were deleted.')
    },
  })
  return (
    <DialogContent
      role="alertdialog"
      title="Delete My Account"
      description="Your requests and the offers on them, the offers you've sent, your notices and your settings will be deleted permanently. Sales to others stay, without your name. This can't be undone."
      className="sm:max-w-md"
    >
      <DialogBody>
        {deletion.isError && (
          <Notice>{messageFor(deletion.error, 'Failed to delete your account. Please try again.')}</Notice>
        )}
      </DialogBody>
      <DialogFooter>
        <Button variant="ghost" className="max-sm:h-11" onClick={onCancel}>
          Keep My Account
        </Button>
        <Button
          variant="destructive"
          className="max-sm:h-11"
          disabled={deletion.isPending || deletion.isSuccess}
          onClick={() => deletion.mutate()}
        >
          {deletion.isPending ? 'Deleting...' : 'Delete Everything'}
        </Button>
      </DialogFooter>
    </DialogContent>
  )
}
