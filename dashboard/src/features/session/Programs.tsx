import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageFor } from '@/api/client'
import { endToken, type Token, tokensQuery } from '@/api/tokens'
import { ErrorPanel } from '@/components/error-panel'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey'
import { readDraft } from '@/lib/drafts'
import { formatDay, formatDayAndTime, relativeTime } from '@/lib/format'
import { rich, t } from '@/lib/texts'
import { showToast } from '@/lib/toasts'
import { ShownSecret } from './ShownSecret'
import { draftName, TokenForm } from './TokenForm'

type Made = { token: Token; secret: string | null }

/** Which programs act for the user, how to let one in, and how to end that. */
export default function Programs() {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const writes = useIdempotencyKey()
  const query = useQuery(tokensQuery)
  const { data, isError } = query
  // After the sign-in that making a token asks for, what was typed is there.
  const [making, setMaking] = useState(() => readDraft(draftName) !== null)
  const [made, setMade] = useState<Made | null>(null)
  const reload = () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey })
  const ending = useMutation({
    mutationFn: ({ id }: Token) => endToken(id, writes.keyFor(['end token', id])),
    async onSuccess(_, token) {
      if (made?.token.id === token.id) setMade(null)
      showToast(t('tokens_ended', { name: token.name }))
      await reload()
      heading.current?.focus() // the button is gone
    },
    onError: (error) => showToast(messageFor(error, t('tokens_end_failed')), 'error'),
  })

  function close() {
    setMaking(false)
    setMade(null)
    heading.current?.focus()
  }

  const full = data !== undefined && data.tokens.length >= data.most
  return (
    <section aria-labelledby="programs" className="grid w-full gap-2">
      <h3 ref={heading} id="programs" tabIndex={-1} className="font-medium text-sm outline-none">
        {t('tokens_title')}
      </h3>
      <p className="text-muted-foreground text-xs">{t('tokens_about')}</p>
      {isError && <ErrorPanel text={t('tokens_load_failed')} query={query} />}
      {!data && !isError && <Skeleton className="h-14 w-full" />}
      {data?.tokens.length === 0 && <p className="py-1.5 text-sm">{t('tokens_none')}</p>}
      <ul className="grid divide-y">
        {data?.tokens.map((token) => (
          <Row key={token.id} token={token} disabled={ending.isPending} onEnd={() => ending.mutate(token)} />
        ))}
      </ul>
      {made ? (
        <ShownSecret
          label={t('tokens_secret')}
          text={madeText(made)}
          secret={made.secret}
          copyFailed={t('tokens_copy_failed')}
          onDone={close}
        />
      ) : making && data ? (
        <TokenForm
          tradeAllowed={data.tradeAllowed}
          onMade={(answer) => {
            setMade(answer)
            void reload()
          }}
          onCancel={close}
        />
      ) : full ? (
        <p className="text-muted-foreground text-xs">{t('tokens_full', { most: data.most })}</p>
      ) : (
        data && (
          <Button variant="outline" className="justify-self-start max-sm:h-11" onClick={() => setMaking(true)}>
            {t('tokens_make')}
          </Button>
        )
      )}
    </section>
  )
}

function madeText({ token: { name }, secret }: Made) {
  return secret ? t('tokens_made', { name }) : t('tokens_made_lost', { name })
}

type RowProps = { token: Token; disabled: boolean; onEnd: () => void }

function Row({ token: { name, scopes, expiresAt, usedAt }, disabled, onEnd }: RowProps) {
  const day = (
    <time dateTime={expiresAt} title={formatDayAndTime(expiresAt)}>
      {formatDay(expiresAt)}
    </time>
  )
  return (
    <li className="flex min-h-14 items-center justify-between gap-3 py-1.5 text-sm">
      <div className="min-w-0">
        <p dir="auto" className="wrap-anywhere">
          {name}
        </p>
        <p className="text-muted-foreground text-xs">
          {rich('tokens_row', { scopes: scopes.join(', '), day })} · {usedText(usedAt)}
        </p>
      </div>
      <Button
        variant="outline"
        size="sm"
        className="shrink-0 max-sm:h-11"
        disabled={disabled}
        aria-label={t('tokens_end_of', { name })}
        onClick={onEnd}
      >
        {t('tokens_end')}
      </Button>
    </li>
  )
}

/** The server notes a use once an hour. */
function usedText(usedAt: string | null) {
  if (!usedAt) return t('tokens_never_used')
  const recently = Date.now() - new Date(usedAt).getTime() < 70 * 60_000
  return recently ? t('tokens_used_recently') : t('tokens_used', { when: relativeTime(usedAt) })
}
