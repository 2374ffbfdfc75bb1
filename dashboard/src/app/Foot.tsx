import { metaContent, site } from '@/lib/site'
import { t } from '@/lib/texts'
import LanguageChoice from './LanguageChoice'
import { versionText } from './version'

const version = versionText(site.version, site.built)

/** The foot of every page: the version, where programs begin, and the languages where there are several. */
export default function Foot() {
  const choice = metaContent('languages').includes(',')
  return (
    <footer className="mx-auto -mt-20 flex w-full flex-wrap items-center gap-x-6 max-w-board px-4 pb-[calc(5rem+var(--bottom-bar))] text-muted-foreground text-xs sm:px-6">
      {version && <span>{version}</span>}
      <a
        href="/api/docs"
        className="flex min-h-6 items-center text-primary underline decoration-primary/40 underline-offset-4 hover:decoration-primary pointer-coarse:min-h-11"
      >
        {t('app_for_programs')}
      </a>
      {choice && <LanguageChoice />}
    </footer>
  )
}
