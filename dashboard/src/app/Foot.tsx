import { metaContent, site } from '@/lib/site'
import LanguageChoice from './LanguageChoice'
import { versionText } from './version'

const version = versionText(site.version, site.built)

/** The foot of every page: the version, and the languages where there are several. */
export default function Foot() {
  const choice = metaContent('languages').includes(',')
  if (!version && !choice) return null
  return (
    <footer className="mx-auto -mt-20 flex w-full flex-wrap items-center gap-x-6 max-w-board px-4 pb-[calc(5rem+var(--bottom-bar))] text-muted-foreground text-xs sm:px-6">
      {version && <span>{version}</span>}
      {choice && <LanguageChoice />}
    </footer>
  )
}
