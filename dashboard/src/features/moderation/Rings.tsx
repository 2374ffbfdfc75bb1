import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageFor } from '@/api/client'
import { keys } from '@/api/keys'
import { countAgain, ringsKey, ringsQuery, setAside } from '@/api/rings'
import { Field } from '@/components/labelled-field'
import { Notice } from '@/components/notice'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { When } from '@/components/when'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { showToast } from '@/lib/toasts'
import { ModerationList } from './ModerationList'

type Ring = { id: number; at: string; reason: string; members: { id: number; username: string }[] }

/** The accounts whose trades count for nothing, and the form that sets more of them aside. */
export function Rings() {
  const query = useQuery(ringsQuery)
  return (
    <>
      <SetAside />
      <ModerationList
        query={query}
        rows={query.data?.rings}
        label="Accounts set aside"
        failure="Failed to load the accounts that are set aside. Please try again."
        empty="No accounts are set aside"
        hint="Accounts that trade among themselves to move a price count for nothing once you set them aside."
      >
        {(ring) => <RingRow key={ring.id} ring={ring} />}
      </ModerationList>
    </>
  )
}

function useRingWrite(done: string, write: () => Promise<unknown>, after?: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess() {
      showToast(done)
      after?.()
      for (const queryKey of [ringsKey, keys.audit, ['items', 'prices']])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}

function SetAside() {
  const [users, setUsers] = useState('')
  const [reason, setReason] = useState('')
  const writes = useIdempotencyKey()
  const names = users.split(/[\s,;]+/).filter(Boolean)
  const { mutate, isPending, error } = useRingWrite(
    'Their trades count for nothing now.',
    () => setAside(names, reason, writes.keyFor(['set aside', names, reason])),
    () => {
      setUsers('')
      setReason('')
    },
  )
  return (
    <form
      className="mb-4 grid gap-3 rounded-lg border bg-card px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <Field label="Discord usernames" help="Separated by spaces or commas.">
        {(field) => (
          <Input
            {...field}
            value={users}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setUsers(event.target.value)}
          />
        )}
      </Field>
      <Field label="Reason" help="For the log.">
        {(field) => <Input {...field} value={reason} onChange={(event) => setReason(event.target.value)} />}
      </Field>
      {error && <Notice>{messageFor(error, 'Failed to set the accounts aside. Please try again.')}</Notice>}
      <Button type="submit" className="justify-self-start max-sm:h-11" disabled={isPending}>
        {isPending ? 'Setting aside...' : 'Set Aside'}
      </Button>
    </form>
  )
}

function RingRow({ ring }: { ring: Ring }) {
  const writes = useIdempotencyKey()
  const names = ring.members.map((member) => member.username).join(', ')
  const { mutate, isPending, error } = useRingWrite('Their trades count again.', () =>
    countAgain(ring.id, writes.keyFor(['count again', ring.id])),
  )
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 dir="auto" className="min-w-0 text-base wrap-anywhere">
          {names}
        </h2>
        <span className="flex items-center gap-3">
          <When at={ring.at} />
          <Button
            variant="outline"
            size="sm"
            disabled={isPending}
            aria-label={`Have the trades of ${names} count again`}
            onClick={() => mutate()}
          >
            {isPending ? 'Changing...' : 'Count Again'}
          </Button>
        </span>
      </div>
      <p className="border-l-2 pl-3 text-muted-foreground text-sm wrap-anywhere">
        <Typed>{ring.reason}</Typed>
      </p>
      {error && <Notice>{messageFor(error, 'Failed to have them count again. Please try again.')}</Notice>}
    </li>
  )
}
