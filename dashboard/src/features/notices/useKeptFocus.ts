import { useEffect, useRef } from 'react'

/** For a group whose buttons change when they are pressed: if the pressed one is gone, the focus goes to the first that is left. */
export function useKeptFocus() {
  const ref = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  useEffect(() => {
    if (!pressed.current || document.activeElement !== document.body) return
    const left = ref.current?.querySelector<HTMLElement>('button:enabled')
    if (!left) return
    pressed.current = false
    left.focus({ preventScroll: true })
  })
  return {
    ref,
    onClickCapture: () => {
      pressed.current = true
    },
  }
}
