import { ArrowLeftRight, UserRound } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { putInGameName, putMeetingPlace } from '@/api/slips'
import type { Handover, TradeDetails } from '@/api/types'
import { ByWhen } from '@/components/by-when'
import { Amount } from '@/components/coins'
import { CopyButton } from '@/components/copy-button'
import { DiscordMark } from '@/components/discord-mark'
import { useHandoverAnswers, useRefreshTrades } from '@/components/handover-answers'
import LookAlikes from '@/components/look-alikes'
import { Time } from '@/components/meeting-time'
import { Typed } from '@/components/typed'
import { Button } from '@/components/ui/button'
import { VerifiedTag } from '@/components/verified-tag'
import { formatNumber } from '@/lib/format'
import { lazy } from '@/lib/loaded'
import { limits } from '@/lib/market'
import { isOn } from '@/lib/site'
import { rich, t } from '@/lib/texts'
import { OneLine } from './OneLine'

const TradeRecordLine = lazy(() => import('@/components/trade-record'))

type Props = { trade: TradeDetails; name: string }

/** Who brings what, and how both are reached. */
export function Sides({ trade, name, over }: Props & { over: boolean }) {
  const { receipt, with: other, you, handover } = trade
  const { side, quantity, itemName, pricePerUnit, total } = receipt
  const refresh = useRefreshTrades()
  const places = { side, over: over ? 'yes' : 'no', name: <Typed>{name}</Typed> }
  const coins = <Amount value={total} size="large" className="leading-7" />
  const goods = (
    <strong className="font-semibold text-lg leading-7 wrap-anywhere">
      {formatNumber(quantity)} <Typed>{itemName}</Typed>
    </strong>
  )
  const each = (
    <span className="tabular text-muted-foreground text-sm">
      {formatNumber(quantity)} × <Amount value={pricePerUnit} />
    </span>
  )
  const buying = side === 'buyer'
  const contact = receipt.with.contact ?? other?.contact
  const names = other?.inGameNames ?? (!buying && receipt.ign ? [receipt.ign] : [])
  return (
    <section
      aria-label={t('slips_who_brings')}
      className="grid grid-cols-2 gap-4 p-4 sm:grid-cols-[1fr_2.5rem_1fr] sm:px-5"
    >
      <div className="grid min-w-0 content-start gap-0.5">
        <Label>{buying ? rich('trades_pays', places) : rich('trades_brings', places)}</Label>
        {buying ? coins : goods}
        {buying && each}
        <Label className="mt-2">{t('trades_as', { side })}</Label>
        <p className="font-semibold">{rich('trades_you', { name: <Typed>{you.name || you.contact}</Typed> })}</p>
        <Reached icon={<DiscordMark className="size-3.5" />} text={you.contact} label={copyDiscord(you.contact)} />
        {handover ? (
          <OneLine
            label={t('slips_your_in_game_name')}
            value={you.inGameNames[0] ?? ''}
            maxLength={limits.inGameName}
            field="inGameName"
            help={t('slips_your_in_game_name_help')}
            change={you.inGameNames.length > 0 ? t('common_change') : t('slips_add_name')}
            save={async (text, key) => {
              await putInGameName(text, key)
              refresh()
            }}
          >
            <span className="flex items-center gap-1.5">
              <UserRound aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
              {you.inGameNames.length > 0 ? (
                <Typed>{you.inGameNames.join(', ')}</Typed>
              ) : (
                <span className="text-muted-foreground">{t('slips_no_in_game_name')}</span>
              )}
            </span>
          </OneLine>
        ) : (
          you.inGameNames.map((text) => <InGame key={text} name={text} />)
        )}
      </div>
      <ArrowLeftRight
        aria-hidden
        className="size-5 self-center justify-self-center text-muted-foreground max-sm:hidden"
      />
      <div className="grid min-w-0 content-start gap-0.5">
        <Label>{buying ? rich('trades_brings', places) : rich('trades_pays', places)}</Label>
        {buying ? goods : coins}
        {!buying && each}
        <Label className="mt-2">{t('trades_as', { side: buying ? 'seller' : 'buyer' })}</Label>
        <p className="font-semibold wrap-anywhere">
          <Typed>{name}</Typed>
        </p>
        {other && isOn('records') && (
          <Suspense fallback={<div className="min-h-5" />}>
            <TradeRecordLine userId={other.id} />
          </Suspense>
        )}
        {contact && (
          <Reached icon={<DiscordMark className="size-3.5" />} text={contact} label={copyDiscord(contact)}>
            <VerifiedTag verified={receipt.with.verified} />
          </Reached>
        )}
        {names.map((text) => (
          <InGame key={text} name={text} />
        ))}
        {names.length === 0 && <p className="text-muted-foreground text-sm">{t('slips_no_in_game_name')}</p>}
        {other?.lookAlike && <p className="text-high-foreground text-sm">{t('slips_look_alike')}</p>}
        <LookAlikes mark={receipt.with.lookAlike} contact={contact} name={buying ? receipt.with.name : receipt.ign} />
      </div>
    </section>
  )
}

const copyDiscord = (name: string) => t('slips_copy_discord_name', { name })

function Label({ className = '', children }: { className?: string; children: ReactNode }) {
  return <span className={`text-muted-foreground text-sm wrap-anywhere ${className}`}>{children}</span>
}

function InGame({ name }: { name: string }) {
  return (
    <Reached
      icon={<UserRound aria-hidden className="size-3.5" />}
      text={name}
      label={t('slips_copy_in_game_name', { name })}
    />
  )
}

type ReachedProps = { icon: ReactNode; text: string; label: string; children?: ReactNode }

function Reached({ icon, text, label, children }: ReachedProps) {
  return (
    <span className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-1.5 pointer-coarse:min-h-11">
      <span className="flex min-w-0 items-center gap-1.5">
        <span className="text-muted-foreground">{icon}</span>
        <bdi dir="auto" className="min-w-0 wrap-anywhere">
          {text}
        </bdi>
        <CopyButton text={text} label={label} />
      </span>
      {children}
    </span>
  )
}

/** By when the two meet, and where. */
export function WhenAndWhere({ trade, handover: h, name }: Props & { handover: Handover }) {
  const { place, canSayPlace, with: other } = trade
  const [changing, setChanging] = useState(false)
  const refresh = useRefreshTrades()
  const { agree, busy } = useHandoverAnswers(h.id, { onAgreed: () => setChanging(false) })
  const said = place && (
    <>
      <Typed>{place.text}</Typed>
      <span className="text-muted-foreground text-sm">
        {' '}
        · {place.saidByYou ? t('slips_place_by_you') : rich('slips_place_by', { name: <Typed>{name}</Typed> })}
      </span>
    </>
  )
  return (
    <section aria-labelledby="where" className="grid gap-1 p-4 sm:px-5">
      <h2 id="where" className="text-base">
        {t('trades_when_where')}
      </h2>
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1">
        <span>{rich('slips_by', { time: <Time at={h.agreedBy} /> })}</span>
        {h.canAgree && !changing && (
          <Button
            size="sm"
            variant="outline"
            disabled={busy}
            aria-label={`${t('common_change')}: ${t('handover_meet_by')}`}
            onClick={() => setChanging(true)}
          >
            {t('common_change')}
          </Button>
        )}
      </div>
      {changing && (
        <ByWhen
          label={t('handover_meet_by')}
          standard={t('handover_choose_time')}
          what={`${formatNumber(h.quantity)} ${h.itemName}`}
          onChange={(by) => by && agree(by)}
        />
      )}
      {canSayPlace && other ? (
        <OneLine
          label={t('slips_place')}
          value={place?.text ?? ''}
          maxLength={limits.place}
          field="place"
          help={t('slips_place_help')}
          change={place ? t('common_change') : t('slips_say_where')}
          save={async (text, key) => {
            await putMeetingPlace(other.id, text, key)
            refresh()
          }}
        >
          {said ?? <span className="text-muted-foreground">{t('slips_not_said')}</span>}
        </OneLine>
      ) : (
        <p className="min-w-0 wrap-anywhere">
          {said ?? <span className="text-muted-foreground">{t('slips_no_place_here')}</span>}
        </p>
      )}
    </section>
  )
}
