import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '@/api/keys'
import { allowVisitors, requireSignIn, rulesQuery } from '@/api/rules'
import { Failure } from '@/components/failure'
import { Dialog, DialogContent } from '@/components/page-dialog'
import { ReasonForm } from '@/components/reason-form'
import { Button } from '@/components/ui/button'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { formatDayAndTime } from '@/lib/format'
import { metaContent } from '@/lib/site'
import { showToast } from '@/lib/toasts'

/** Whether visitors can offer on this market, and the switch. */
export function VisitorOffers() {
  const [asking, setAsking] = useState(false)
  const { data: rules, isError, isFetching, refetch } = useQuery(rulesQuery)
  const queryClient = useQueryClient()
  const writes = useIdempotencyKey()

  function changed(done: string) {
    showToast(done)
    for (const queryKey of [keys.rules, keys.audit]) void queryClient.invalidateQueries({ queryKey })
  }

  const since = rules?.signedInOnlySince ?? null
  const allow = useMutation({
    mutationFn: () => allowVisitors(writes.keyFor(['allow visitors', since])),
    onSuccess: () => changed('Visitors can offer again.'),
  })

  const byOperator = metaContent('visitor-offers') === 'off'
  return (
    <section aria-label="Offers from visitors" className="mb-4 rounded-lg border bg-card px-4 py-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-3 text-sm">
        {byOperator ? (
          <p>This market's settings accept offers from signed-in sellers only.</p>
        ) : isError ? (
          <>
            <p>Failed to load who can offer.</p>
            <Button variant="outline" size="sm" disabled={isFetching} onClick={() => refetch()}>
              Try again
            </Button>
          </>
        ) : since ? (
          <>
            <p>
              <strong className="font-semibold">Only signed-in sellers can offer</strong> on any request, since{' '}
              <time dateTime={since}>{formatDayAndTime(since)}</time>.
            </p>
            <Button variant="outline" size="sm" disabled={allow.isPending} onClick={() => allow.mutate()}>
              {allow.isPending ? 'Changing...' : 'Let visitors offer again'}
            </Button>
          </>
        ) : rules ? (
          <>
            <p>Visitors can offer without signing in.</p>
            <Button variant="outline" size="sm" onClick={() => setAsking(true)}>
              Signed-in sellers only…
            </Button>
          </>
        ) : null}
      </div>
      {allow.isError && (
        <Failure error={allow.error} fallback="Failed to let visitors offer again. Please try again." />
      )}
      <Dialog open={asking} onOpenChange={setAsking}>
        <DialogContent title="Signed-In Sellers Only" className="sm:max-w-md">
          <ReasonForm
            name="signed-in-only"
            help="For the log. Visitors will have to sign in to offer on any request, until a moderator allows them again. Offers that they have sent stay open."
            button="Signed-In Sellers Only"
            busy="Changing..."
            failure="Failed to change who can offer. Please try again."
            send={async (reason, key) => {
              await requireSignIn(reason, key)
              setAsking(false)
              changed('Only signed-in sellers can offer now.')
            }}
            onCancel={() => setAsking(false)}
          />
        </DialogContent>
      </Dialog>
    </section>
  )
}
