import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceFor } from '@/api/client'
import { dataAddress, leave } from '@/api/me'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { type DialogProps, useDialogs } from '@/hooks/useDialogs'
import { say } from '@/lib/toasts'

/** What is kept about the reader: a file to take away, and the way to have it all deleted. */
export default function DataDialog({ open, onClose }: DialogProps) {
  const [leaving, setLeaving] = useState(false)
  return (
    <Dialog open={open} onOpenChange={(stays) => !stays && onClose()}>
      {leaving ? (
        <LeaveQuestion onStay={() => setLeaving(false)} />
      ) : (
        <DialogContent
          title="Your Data"
          description="Your Discord account's id, name and e-mail address; your requests and sales; the offers you have sent; your notices and their settings."
          className="sm:max-w-md"
        >
          <DialogBody className="grid justify-items-start gap-4">
            <Button asChild variant="outline">
              <a href={dataAddress} download>
                Download My Data
              </a>
            </Button>
          </DialogBody>
          <DialogFooter>
            <Button variant="ghost" className="max-sm:h-11" onClick={onClose}>
              Close
            </Button>
            <Button variant="destructive" className="max-sm:h-11" onClick={() => setLeaving(true)}>
              Delete My Account
            </Button>
          </DialogFooter>
        </DialogContent>
      )}
    </Dialog>
  )
}

function LeaveQuestion({ onStay }: { onStay: () => void }) {
  const queryClient = useQueryClient()
  const { go } = useDialogs()
  const leaving = useMutation({
    mutationFn: () => leave(queryClient),
    onSuccess() {
      go('/')
      say('Your account and everything of yours is deleted.')
    },
  })
  return (
    <DialogContent
      role="alertdialog"
      title="Delete My Account"
      description="Your requests with the offers on them, the offers you have sent, your notices and settings are gone for good. Sales to others stay, without your name. This cannot be undone."
      className="sm:max-w-md"
    >
      <DialogBody>
        {leaving.isError && (
          <Notice>{sentenceFor(leaving.error, 'Failed to delete your account. Please try again.')}</Notice>
        )}
      </DialogBody>
      <DialogFooter>
        <Button variant="ghost" className="max-sm:h-11" onClick={onStay}>
          Keep Everything
        </Button>
        <Button
          variant="destructive"
          className="max-sm:h-11"
          disabled={leaving.isPending || leaving.isSuccess}
          onClick={() => leaving.mutate()}
        >
          {leaving.isPending ? 'Deleting...' : 'Delete Everything'}
        </Button>
      </DialogFooter>
    </DialogContent>
  )
}
