import { Code } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Item } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { PageLink } from '@/components/page-link'
import { Button } from '@/components/ui/button'
import { useSkills } from '@/hooks/useSkills'
import { categoryName } from '@/lib/market'
import { t } from '@/lib/texts'

/** The facts of an item: which professions make it and which use it, from which level, the reader's own, and what else is known. */
export function MakersAndUsers({ item }: { item: Item }) {
  const { kind, name, region, tradeable, link } = item
  return (
    <section aria-label={t('items_makers_title')} className="rounded-lg border bg-card px-4 py-3">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        <Professions label={t('items_made_by')} professions={item.madeBy} level={item.madeAtLevel} />
        <Professions label={t('items_used_by')} professions={item.usedBy} level={item.usedAtLevel} />
        {kind && kind !== name && (
          <Fact label={t('items_fact_kind')}>
            <bdi>{kind}</bdi>
          </Fact>
        )}
        {region && (
          <Fact label={t('items_fact_region')}>
            <bdi>{region}</bdi>
          </Fact>
        )}
        {tradeable !== null && (
          <Fact label={t('items_fact_trade')}>{tradeable ? t('pages_tradeable') : t('pages_not_tradeable')}</Fact>
        )}
      </dl>
      {link && (
        <a
          className="touch mt-2 inline-block text-primary text-sm underline underline-offset-4"
          href={link}
          rel="noreferrer"
          target="_blank"
        >
          {t('pages_item_more')}
        </a>
      )}
      <Button
        variant="ghost"
        size="sm"
        className="-mx-2 mt-2 flex text-muted-foreground"
        onClick={() => void import('@/lib/embed').then((embed) => embed.copyEmbedCode(`/items/${item.id}`))}
      >
        <Code aria-hidden /> {t('embed_copy')}
      </Button>
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}

type Props = { label: string; professions: string[]; level: number | null }

function Professions({ label, professions, level }: Props) {
  const { skills } = useSkills(true)
  return (
    <Fact label={label}>
      {professions.length === 0 && t('items_not_known')}
      {professions.map((profession) => {
        const own = skills.find(({ category }) => category === profession)
        return (
          <span key={profession} className="tabular flex flex-wrap items-center gap-x-2">
            <CategoryIcon category={profession} className="size-4 text-muted-foreground" />
            <PageLink
              to={`/items?${new URLSearchParams({ profession })}`}
              className="touch hover:text-primary hover:underline"
            >
              {categoryName(profession)}
            </PageLink>
            {level ? (
              <span className="text-muted-foreground">{t('items_from_level', { level: String(level) })}</span>
            ) : null}
            {own && (
              <span className="text-muted-foreground">{t('items_your_level', { level: String(own.level) })}</span>
            )}
          </span>
        )
      })}
    </Fact>
  )
}
