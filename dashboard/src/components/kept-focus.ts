import { useEffect, useRef } from 'react'

/** For a group whose buttons change when they are pressed: if the pressed one is gone, the focus goes to the first that is left, or
 * to the group itself where it can have it. */
export function useKeptFocus() {
  const ref = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  useEffect(() => {
    if (!pressed.current || document.activeElement !== document.body) return
    const buttons = [...(ref.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const left = buttons.length > 0 ? buttons.find((button) => button.matches(':enabled')) : ref.current
    if (!left) return // they are disabled until the answer is there
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
