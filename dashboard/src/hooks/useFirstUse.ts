import { useEffect, useState } from 'react'

const signs = ['pointerover', 'pointerdown', 'focusin'] as const
const pressable = 'a, button, input, select, textarea, [role]'

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** Whether the person has begun to use the page: pointed at, touched or focused what can be pressed. Code that is likely needed
 * next is loaded then, not for a person who only reads. Never true for a browser that asks to save data. */
export function useFirstUse(): boolean {
  const [used, setUsed] = useState(false)
  useEffect(() => {
    if (used || savesData()) return
    const begin = ({ target }: Event) => {
      if (target instanceof Element && target.closest(pressable)) setUsed(true)
    }
    for (const sign of signs) document.addEventListener(sign, begin, { passive: true })
    return () => {
      for (const sign of signs) document.removeEventListener(sign, begin)
    }
  }, [used])
  return used
}
