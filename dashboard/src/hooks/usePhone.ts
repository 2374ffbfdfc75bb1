import { useMediaQuery } from './useMediaQuery'

/** Reports whether the window is as narrow as a phone: below the breakpoint `sm`. */
export const usePhone = () => useMediaQuery('(max-width: 39.99rem)')
