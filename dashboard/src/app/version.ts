import { locale } from '@/lib/locale'

/** "Tradepost 0.9 · 28 November 2026"; empty where neither is known. */
export function versionText(number: string, built: string): string {
  const day = built && new Date(built).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
  if (!number && !day) return ''
  const program = ['Tradepost', number].filter(Boolean).join(' ')
  return [program, day].filter(Boolean).join(' · ')
}
