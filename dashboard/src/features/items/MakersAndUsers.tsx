import type { Item } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { PageLink } from '@/components/page-link'
import { useSkills } from '@/hooks/useSkills'
import { t } from '@/lib/texts'

/** Which professions make an item and which use it, from which level, and the reader's own. */
export function MakersAndUsers({ item }: { item: Item }) {
  return (
    <section aria-labelledby="makers" className="rounded-lg border bg-card p-4">
      <h2 id="makers" className="text-lg">
        {t('items_makers_title')}
      </h2>
      <dl className="mt-2 grid gap-3 text-sm">
        <Professions label={t('items_made_by')} professions={item.madeBy} level={item.madeAtLevel} />
        <Professions label={t('items_used_by')} professions={item.usedBy} level={item.usedAtLevel} />
      </dl>
    </section>
  )
}

type Props = { label: string; professions: string[]; level: number | null }

function Professions({ label, professions, level }: Props) {
  const { skills } = useSkills(true)
  return (
    <div className="grid gap-1">
      <dt className="text-muted-foreground">{label}</dt>
      {professions.length === 0 && <dd>{t('items_not_known')}</dd>}
      {professions.map((profession) => {
        const own = skills.find(({ category }) => category === profession)
        return (
          <dd key={profession} className="tabular flex flex-wrap items-center gap-x-2">
            <CategoryIcon category={profession} className="size-4.5 text-muted-foreground" />
            <PageLink
              to={`/items?${new URLSearchParams({ profession })}`}
              className="inline-flex items-center hover:text-primary hover:underline pointer-coarse:min-h-11"
            >
              {profession}
            </PageLink>
            {level ? (
              <span className="text-muted-foreground">{t('items_from_level', { level: String(level) })}</span>
            ) : null}
            {own && (
              <span className="text-muted-foreground">{t('items_your_level', { level: String(own.level) })}</span>
            )}
          </dd>
        )
      })}
    </div>
  )
}
