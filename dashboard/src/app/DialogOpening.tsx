import { useLocation } from 'react-router'
import { OpeningFrame } from '@/components/opening-frame'
import { dialogAt } from '@/hooks/useDialogs'

/** The frame of the dialog in the address, until the code is there that knows them all. */
export function DialogOpening() {
  const { search } = useLocation()
  return dialogAt(search) && <OpeningFrame />
}
