import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { dialogAt } from '@/hooks/useDialogs'

/** The request that is open beside the list. It is in the address, "?view=list&request=12", so that back closes it and a
 * reload keeps it. While a dialog is open, the address names the dialog's request, and the panel stays as it was. */
export function usePanel() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const latest = useRef(navigate)
  const before = useRef<number | undefined>(undefined)
  const inDialog = dialogAt(search) !== null
  const request = inDialog ? before.current : requestAt(search)
  useEffect(() => {
    latest.current = navigate
    if (!inDialog) before.current = request
  })

  const go = useCallback((request: number | undefined, replace: boolean) => {
    const params = new URLSearchParams(window.location.search)
    if (request === undefined) params.delete('request')
    else params.set('request', String(request))
    latest.current({ search: params.size > 0 ? `?${params}` : '' }, { replace })
  }, [])

  return useMemo(
    () => ({
      request,
      /** Opens a request. Walking from one to the next adds nothing to the history. */
      show: (id: number) => go(id, request !== undefined),
      close: () => go(undefined, true),
    }),
    [request, go],
  )
}

function requestAt(search: string): number | undefined {
  const id = Number(new URLSearchParams(search).get('request'))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}
