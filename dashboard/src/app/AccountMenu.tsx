import { Bell, Bookmark, Database, HeartPulse, LogOut, Send, ShieldCheck, SquareChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '@/api/types'
import { PageMenu } from '@/components/page-menu'
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from '@/components/ui/dropdown-menu'
import { Kbd } from '@/components/ui/kbd'
import { useDialogs } from '@/hooks/useDialogs'
import { commandKey } from '@/lib/keyboard'
import { nameOfLanguage, offeredLanguages } from '@/lib/languages'
import { language } from '@/lib/locale'
import { t } from '@/lib/texts'
import { sells, usePlace } from './places'
import { useLanguageChoice } from './useLanguageChoice'
import { Waiting } from './Waiting'

type Props = {
  user: User
  onSignOut: () => void
  /** The button that opens it. */
  children: ReactNode
}

/** The account's name, its settings and data, the language, and Sign Out. It is open when it mounts. */
export default function AccountMenu({ user, onSignOut, children }: Props) {
  const { open, go } = useDialogs()
  const { counts, place } = usePlace()
  const chooseLanguage = useLanguageChoice()
  const languages = offeredLanguages()
  return (
    <PageMenu button={children} opened>
      {(choose) => (
        <>
          <DropdownMenuLabel className="max-w-72">
            <bdi dir="auto" className="block truncate font-medium text-foreground">
              {user.displayName}
            </bdi>
            <bdi dir="auto" className="block truncate xl:hidden">
              {user.email ?? user.username}
            </bdi>
          </DropdownMenuLabel>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={choose(() => open({ name: 'commands' }))}>
            <SquareChevronRight /> {t('common_commands')}{' '}
            <Kbd className="pointer-coarse:hidden ml-auto">{commandKey}</Kbd>
          </DropdownMenuItem>
          {user.moderator && (
            <DropdownMenuItem
              aria-current={place === 'moderation' ? 'page' : undefined}
              aria-label={counts?.cases ? t('app_cases', { count: counts.cases }) : undefined}
              onSelect={choose(() => go('/moderation'))}
            >
              <ShieldCheck /> {t('common_moderation')}
              {counts && counts.cases > 0 && <Waiting count={counts.cases} className="ml-auto" />}
            </DropdownMenuItem>
          )}
          {user.operator && (
            <DropdownMenuItem
              aria-current={place === 'operation' ? 'page' : undefined}
              onSelect={choose(() => go('/operation'))}
            >
              <HeartPulse /> {t('common_operation')}
            </DropdownMenuItem>
          )}
          {!sells() && (
            <>
              <DropdownMenuItem onSelect={choose(() => go('/selling/offers'))}>
                <Send /> {t('common_my_offers')}
              </DropdownMenuItem>
              <DropdownMenuItem onSelect={choose(() => go('/selling/saved'))}>
                <Bookmark /> {t('common_saved_searches')}
              </DropdownMenuItem>
            </>
          )}
          <DropdownMenuItem onSelect={choose(() => open({ name: 'notices' }))}>
            <Bell /> {t('common_notice_settings')}
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={choose(() => open({ name: 'data' }))}>
            <Database /> {t('common_your_data')}
          </DropdownMenuItem>
          {languages.length > 1 && (
            <>
              <DropdownMenuSeparator />
              <DropdownMenuLabel>{t('app_language')}</DropdownMenuLabel>
              <DropdownMenuRadioGroup aria-label={t('app_language')} value={language} onValueChange={chooseLanguage}>
                {languages.map((code) => (
                  <DropdownMenuRadioItem key={code} value={code} lang={code}>
                    {nameOfLanguage(code)}
                  </DropdownMenuRadioItem>
                ))}
              </DropdownMenuRadioGroup>
            </>
          )}
          <DropdownMenuSeparator className="xl:hidden" />
          <DropdownMenuItem className="xl:hidden" onSelect={choose(onSignOut)}>
            <LogOut /> {t('common_sign_out')}
          </DropdownMenuItem>
        </>
      )}
    </PageMenu>
  )
}
