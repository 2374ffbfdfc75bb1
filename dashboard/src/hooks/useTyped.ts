import { useEffect, useRef, useState } from 'react'

const debounce = 250 // ms

/** The text of a field whose value is sent once nothing was typed for a moment. It follows a value that
 * changes elsewhere: back, forward, or cleared filters. */
export function useTyped(value: string, onValue: (text: string) => void) {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const send = useRef(onValue)
  useEffect(() => {
    send.current = onValue
  })
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    const text = typed.trim()
    if (text === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text
      send.current(text)
    }, debounce)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped] as const
}
