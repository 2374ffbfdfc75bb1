import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { returnFocus } from '@/components/dialog-focus'
import { commandsClass, overlayClass, sheetClass, sheetMoves } from '@/components/dialog-frame'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { type DialogName, useDialogs } from '@/hooks/useDialogs'
import { cn } from '@/lib/cn'
import { t } from '@/lib/texts'

type Frame = { title: string; rows: number; width?: 'sm:max-w-md' | 'sm:max-w-xl' }

const frames: Partial<Record<DialogName, Frame>> = {
  post: { title: t('app_frame_post'), rows: 11, width: 'sm:max-w-xl' },
  data: { title: t('common_your_data'), rows: 2, width: 'sm:max-w-md' },
  skills: { title: t('common_my_skills'), rows: 8, width: 'sm:max-w-xl' },
  notices: { title: t('common_notice_settings'), rows: 6 },
  edit: { title: t('common_edit_request'), rows: 11, width: 'sm:max-w-xl' },
  close: { title: t('app_frame_close'), rows: 1, width: 'sm:max-w-md' },
  delete: { title: t('app_frame_delete'), rows: 1, width: 'sm:max-w-md' },
  offer: { title: t('app_frame_offer'), rows: 11 },
  report: { title: t('app_frame_report'), rows: 2, width: 'sm:max-w-md' },
  remove: { title: t('app_frame_remove'), rows: 2, width: 'sm:max-w-md' },
  block: { title: t('app_frame_block'), rows: 2, width: 'sm:max-w-md' },
  sales: { title: t('app_frame_sales'), rows: 4 },
  commands: { title: t('common_commands'), rows: 7 },
}

function frameOf(name: DialogName, itemName = '', mode?: 'sign-up' | 'sign-in'): Frame {
  if (name === 'offers') {
    const title = itemName ? t('app_frame_offers', { item: itemName }) : t('common_offers')
    return { title, rows: 4, width: 'sm:max-w-xl' }
  }
  if (name === 'receipts') {
    const title = itemName ? t('app_frame_receipts', { item: itemName }) : t('common_receipts')
    return { title, rows: 4, width: 'sm:max-w-xl' }
  }
  if (name === 'sign-in') {
    return { title: mode === 'sign-up' ? t('app_frame_join') : t('app_frame_back'), rows: 2, width: 'sm:max-w-md' }
  }
  return frames[name] ?? { title: t('app_loading'), rows: 3 }
}

type Props = { name: DialogName; itemName?: string; mode?: 'sign-up' | 'sign-in'; opener: Element | null }

/** Stands in for a dialog while its code loads: its frame and title, and rows of its content. It needs no library, because that
 * is loaded with the dialog. */
export function DialogSkeleton({ name, itemName, mode, opener }: Props) {
  const { close } = useDialogs()
  const titleId = useId()
  const frame = useRef<HTMLDivElement>(null)
  const closeButton = useRef<HTMLButtonElement>(null)
  const { title, rows, width } = frameOf(name, itemName, mode)
  const small = name === 'commands'

  useEffect(() => {
    frame.current?.focus()
    return () => {
      // The dialog that takes this place takes the focus too.
      setTimeout(() => {
        if (document.querySelector('[data-slot$="dialog-content"]')) return
        returnFocus(opener)
      })
    }
  }, [opener])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') close()
    if (event.key !== 'Tab') return
    event.preventDefault() // there is nothing else to go to
    closeButton.current?.focus()
  }

  return createPortal(
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the frame takes Escape */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the dialog closes it, as for every dialog */}
      <div className={overlayClass} onClick={close} />
      <div
        ref={frame}
        role="dialog"
        aria-modal="true"
        aria-busy="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        data-state="open"
        data-slot="dialog-content"
        className={small ? commandsClass : cn(sheetClass, sheetMoves, width)}
        onKeyDown={onKeyDown}
      >
        <div data-slot="dialog-header" className={cn('border-b py-4 pr-16 pl-5', small && 'py-3.5')}>
          <h2 id={titleId} className="text-lg wrap-anywhere">
            {title}
          </h2>
        </div>
        <div
          role="status"
          aria-label={t('app_loading')}
          className={cn('grid min-h-0 flex-1 gap-5 overflow-hidden px-5 py-4', small && 'gap-2 px-2 py-3')}
        >
          {Array.from({ length: rows }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
            <Skeleton key={i} className={small ? 'h-9' : 'h-14'} />
          ))}
        </div>
        <Button
          ref={closeButton}
          variant="ghost"
          size="icon"
          aria-label={t('common_close')}
          className="absolute top-3 right-3"
          onClick={close}
        >
          <X />
        </Button>
      </div>
    </>,
    document.body,
  )
}
