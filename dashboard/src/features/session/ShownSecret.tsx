import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { copyText } from '@/lib/clipboard'
import { t } from '@/lib/texts'

type Props = { label: string; text: string; secret: string | null; copyFailed: string; onDone: () => void }

/** Shows a secret that was just made. It is nowhere else, and gone with this. */
export function ShownSecret({ label, text, secret, copyFailed, onDone }: Props) {
  const [copied, setCopied] = useState<boolean>()
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])

  async function copy() {
    const done = await copyText(secret ?? '')
    setCopied(done)
    if (!done) field.current?.select()
  }

  return (
    <section aria-label={label} className="grid gap-2.5 rounded-lg border p-3.5 text-sm">
      <p role="status" className="wrap-anywhere">
        {text}
      </p>
      {secret && (
        <>
          <Input
            ref={field}
            readOnly
            aria-label={label}
            value={secret}
            autoComplete="off"
            className="font-mono text-xs"
            onFocus={(event) => event.target.select()}
          />
          {copied === false && <p role="alert">{copyFailed}</p>}
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {secret && (
          <Button ref={button} className="max-sm:h-11" onClick={copy}>
            {copied ? t('tokens_copied') : t('tokens_copy')}
          </Button>
        )}
        <Button ref={secret ? undefined : button} variant="outline" className="max-sm:h-11" onClick={onDone}>
          {secret ? t('tokens_done') : t('common_close')}
        </Button>
      </div>
    </section>
  )
}
