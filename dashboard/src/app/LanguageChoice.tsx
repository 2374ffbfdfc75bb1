import { LinkButton } from '@/components/buttons'
import { nameOfLanguage, offeredLanguages } from '@/lib/languages'
import { language } from '@/lib/locale'
import { t } from '@/lib/texts'
import { useLanguageChoice } from './useLanguageChoice'

/** The languages of the page by their own names, for the foot of the page. */
export default function LanguageChoice() {
  const choose = useLanguageChoice()
  return (
    <fieldset aria-label={t('app_language')} className="flex flex-wrap items-center gap-x-3">
      {offeredLanguages().map((code) =>
        code === language ? (
          <span key={code} lang={code} aria-current="true" className="text-foreground">
            {nameOfLanguage(code)}
          </span>
        ) : (
          <LinkButton
            key={code}
            lang={code}
            className="min-h-6 text-xs pointer-coarse:min-h-11"
            onClick={() => choose(code)}
          >
            {nameOfLanguage(code)}
          </LinkButton>
        ),
      )}
    </fieldset>
  )
}
