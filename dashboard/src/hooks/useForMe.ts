import { useCallback, useEffect, useMemo } from 'react'
import { useLocation } from 'react-router'
import type { BrowseFilter, ListFilter } from '@/api/filter'
import { rememberBoard, rememberForMe, wasForMe } from '@/lib/finding'
import { isOn } from '@/lib/site'
import { useDialogs, withoutDialog } from './useDialogs'
import { useSkills } from './useSkills'

type Change = (changes: Partial<BrowseFilter>, options?: { replace?: boolean }) => void

/** The switch "For me", and the filter with the levels of its reader. It is in the address, and remembered for a board without filters. */
export function useForMe(filter: BrowseFilter, change: Change) {
  const on = filter.for === 'me'
  const mine = useSkills(on)
  const { open } = useDialogs()
  const { search } = useLocation()

  useEffect(() => {
    if (!on && Object.keys(filter).length === 0 && wasForMe()) change({ for: 'me' }, { replace: true })
  }, [on, filter, change])
  useEffect(() => rememberBoard(withoutDialog(search)), [search])

  const { skills, ofAccount } = mine
  const applied = useMemo<ListFilter>(() => {
    const levels = skills.map(({ category, level }) => `${category}:${level}`)
    const skill = levels.length > 0 ? levels : undefined
    // Only an account has stock.
    if (!on || !(skill || (ofAccount && isOn('stock')))) return filter
    return { ...filter, skill, ...(isOn('stock') && { fill: true }) }
  }, [filter, on, skills, ofAccount])

  const toggle = useCallback(() => {
    rememberForMe(!on)
    change({ for: on ? undefined : 'me' })
  }, [on, change])

  return {
    ...mine,
    on,
    applied,
    toggle,
    openSkills: () => open({ name: 'skills' }),
    /** Whether a visitor has no skills in this browser; an account is asked when the switch is on. */
    knownToBeEmpty: !mine.ofAccount && skills.length === 0,
    /** Whether the list waits for the skills. */
    waits: on && mine.isPending,
    /** Whether there is nothing that "For me" could go by. */
    lacksSkills: on && !mine.isPending && skills.length === 0,
  }
}
