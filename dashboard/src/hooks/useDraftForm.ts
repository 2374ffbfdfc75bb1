import { useEffect, useState } from 'react'
import type { DefaultValues } from 'react-hook-form'
import { dropDraft, readDraft, readFilledFrom, saveDraft } from '@/lib/drafts'
import { earlierDraft, finishDraft, restoreEarlier } from '@/lib/filledDrafts'
import { type SendOptions, useLatest, useSendForm } from './useSendForm'

type Options<V extends Record<string, string>, O> = SendOptions<V, O> & {
  /** Names the draft in this tab. */
  name: string
  /** Values that override the draft. */
  fixed?: Partial<V>
}

/** A form that saves what is typed as a draft until it was sent. */
export function useDraftForm<V extends Record<string, string>, O>({ name, fixed, ...options }: Options<V, O>) {
  const latest = useLatest(options)
  const [draft] = useState(() => readDraft<V>(name))
  const [restored, setRestored] = useState(draft !== null)
  const [filledFrom, setFilledFrom] = useState(() => readFilledFrom(name))
  const [earlier, setEarlier] = useState(() => earlierDraft<V>(name))
  const sending = useSendForm<V, O>({
    ...options,
    defaults: { ...options.defaults, ...draft, ...fixed },
    async send(values, key) {
      await latest.current.send(values, key)
      finishDraft(name)
      setRestored(false)
    },
  })
  const { form } = sending

  useEffect(() => {
    const watching = form.watch((values, { type }) => type === 'change' && saveDraft(name, values))
    return () => watching.unsubscribe()
  }, [form, name])

  return {
    ...sending,
    /** Whether the form opened with a draft. */
    restored,
    /** The request that the draft was filled in from; null if the user typed it, empty if it was for an item only. */
    filledFrom,
    /** What the user typed before the draft was filled in. */
    earlier,
    /** Returns to what the user typed before. */
    goBack() {
      restoreEarlier(name)
      form.reset({ ...latest.current.defaults, ...readDraft<V>(name), ...fixed } as DefaultValues<V>)
      setRestored(true)
      setFilledFrom(null)
      setEarlier(earlierDraft<V>(name))
    },
    startOver() {
      dropDraft(name)
      setRestored(false)
      form.reset(latest.current.defaults as DefaultValues<V>)
    },
  }
}
