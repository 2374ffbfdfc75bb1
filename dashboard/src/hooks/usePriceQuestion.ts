import { useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import type { UnusualPrice } from '@/api/types'

type Question = { text: string; prices: readonly UnusualPrice[] }

/** The question whether prices are meant that are far from what is known. Prices that were kept are not asked about again. */
export function usePriceQuestion() {
  const [question, setQuestion] = useState<Question | null>(null)
  const kept = useRef('')
  const nameOf = (prices: readonly number[]) => prices.join(' ')
  return {
    question,
    /** What a write of these prices sends besides. */
    answer: (...prices: number[]) => (kept.current === nameOf(prices) ? { confirmPrice: true } : {}),
    /** Shows the question of an error. It returns false for another error. */
    ask(error: unknown): boolean {
      const { code, detail, prices } = error instanceof ApiError ? error.problem : {}
      if (code !== 'price_unusual' || !prices?.length) return false
      setQuestion({ text: detail ?? '', prices })
      return true
    },
    /** Keeps the prices of a write as they were typed. */
    keep(...prices: number[]) {
      kept.current = nameOf(prices)
      setQuestion(null)
    },
    drop: () => setQuestion(null),
  }
}
