import { useQuery } from '@tanstack/react-query'
import { CircleCheckBig, CircleDashed, CircleX, TriangleAlert } from 'lucide-react'
import { operationQuery } from '@/api/operation'
import type { Machine, MachineCheck, MachineFigures } from '@/api/types'
import { ErrorPanel } from '@/components/error-panel'
import { Loading } from '@/components/loading'
import { Button } from '@/components/ui/button'
import { When } from '@/components/when'
import { useDelayed } from '@/hooks/useDelayed'
import { cn } from '@/lib/cn'
import { rich, t } from '@/lib/texts'
import { names } from './names'

/** How the market's machine is: what an operator looks at every day, then everything that is checked. */
export function Operation() {
  const query = useQuery(operationQuery)
  const slow = useDelayed(query.isPending)
  if (query.isPending) return slow ? <Loading label={t('operation_loading')} boxes={['h-24', 'h-12', 'h-80']} /> : null
  // The earlier report stays while it cannot be read again.
  if (!query.data) return <ErrorPanel text={t('operation_failed')} query={query} />
  const { data, isFetching, isError, refetch } = query
  return (
    <div className="grid gap-5">
      <Figures figures={data.figures} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="text-sm">
          <p role="status" className="font-medium">
            {data.wrong > 0 ? t('operation_some_wrong', { count: data.wrong }) : t('operation_all_good')}
          </p>
          <p className="text-muted-foreground">
            {rich('operation_looked', { when: <When at={data.at} />, version: data.version })}
          </p>
        </div>
        <Button
          variant="outline"
          size="sm"
          disabled={isFetching}
          title={t('operation_kept')}
          onClick={() => void refetch()}
        >
          {isFetching ? t('operation_looking') : t('operation_again')}
        </Button>
      </div>
      {isError && (
        <p role="alert" className="text-destructive text-sm">
          {t('operation_failed')}
        </p>
      )}
      <ul aria-label={t('operation_checks')} className="divide-y overflow-hidden rounded-lg border bg-card">
        {inOrder(data).map((check) => (
          <Row key={check.id} check={check} />
        ))}
      </ul>
    </div>
  )
}

function Figures({ figures }: { figures: MachineFigures }) {
  const { backupAgeSeconds, diskFreePercent, certificateDays } = figures
  const tiles = [
    { name: t('operation_backup'), value: backupAgeSeconds === undefined ? undefined : ageOf(backupAgeSeconds) },
    {
      name: t('operation_disk'),
      value: diskFreePercent === undefined ? undefined : t('operation_disk_free', { share: diskFreePercent }),
    },
    {
      name: t('operation_certificate'),
      value: certificateDays === undefined ? undefined : daysLeft(certificateDays),
    },
  ]
  return (
    <dl aria-label={t('operation_figures')} className="grid gap-3 sm:grid-cols-3">
      {tiles.map(({ name, value }) => (
        <div key={name} className="rounded-lg border bg-card px-4 py-3">
          <dt className="text-muted-foreground text-sm">{name}</dt>
          <dd className={cn('tabular font-medium text-lg', value === undefined && 'text-muted-foreground')}>
            {value ?? t('operation_unknown')}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function ageOf(seconds: number): string {
  const hours = Math.round(seconds / 3600)
  if (hours < 1) return t('operation_backup_new')
  if (hours < 48) return t('operation_backup_hours', { count: hours })
  return t('operation_backup_days', { count: Math.floor(hours / 24) })
}

const daysLeft = (days: number) =>
  days < 0 ? t('operation_certificate_over') : t('operation_certificate_days', { count: days })

const states = {
  wrong: { name: t('operation_state_wrong'), icon: CircleX, tone: 'text-destructive' },
  careful: { name: t('operation_state_careful'), icon: TriangleAlert, tone: 'text-high-foreground' },
  notChecked: { name: t('operation_state_not_checked'), icon: CircleDashed, tone: 'text-muted-foreground' },
  good: { name: t('operation_state_good'), icon: CircleCheckBig, tone: 'text-muted-foreground' },
}
const order = Object.keys(states)

/** Problems first, then warnings; the others as the server has them. */
const inOrder = ({ checks }: Machine) =>
  checks.toSorted((a, b) => Math.min(order.indexOf(a.state), 2) - Math.min(order.indexOf(b.state), 2))

function Row({ check }: { check: MachineCheck }) {
  const { name, icon: Icon, tone } = states[check.state]
  return (
    <li className="flex gap-3 px-4 py-3 text-sm">
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', tone)} />
      <div className="min-w-0">
        <p>
          <span className="font-medium">{names[check.id] ?? <span lang="en">{check.what}</span>}</span>
          <span className={cn('ml-2', tone)}>{name}</span>
        </p>
        {check.says && (
          <p lang="en" className="whitespace-pre-line text-muted-foreground wrap-anywhere">
            {check.says}
          </p>
        )}
      </div>
    </li>
  )
}
