import { addressOf } from '@/api/savedSearch'
import { Beside } from '@/components/beside'
import { PageLink } from '@/components/page-link'
import { t } from '@/lib/texts'
import { BellSwitch, OpenCount } from './SavedParts'
import { useSaving } from './useSaving'

/** The user's saved searches in short, each with its bell, beside what they can fill. */
export function SavedBeside() {
  const saving = useSaving()
  const { saved } = saving
  return (
    <Beside to="/selling/saved" title={t('common_saved')} count={saved.length} none={t('finding_no_searches')}>
      {(most) =>
        saved.slice(0, most).map((search) => (
          <li key={`${search.watch} ${search.id}`} className="flex min-h-13 items-center gap-2 px-4 py-2">
            <PageLink
              to={addressOf(search)}
              dir="auto"
              className="touch min-w-0 flex-1 truncate font-medium text-sm hover:underline"
            >
              {search.name}
            </PageLink>
            <OpenCount search={search} />
            <BellSwitch search={search} saving={saving} />
          </li>
        ))
      }
    </Beside>
  )
}
