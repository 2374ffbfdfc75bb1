// The sentences of core/text for errors, as the German page shows them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { read } from '@/api/client'
import { DialogsProvider } from '@/hooks/useDialogs'
import { Failure } from './failure'
import { ReasonForm } from './reason-form'

type Sentences = Record<string, string>
const errorsIn = (language: string): Sentences =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../core/text', `${language}.json`), 'utf8')).errors
const german = errorsIn('de')
const codes = Object.keys(errorsIn('en'))

/** The server's answer to a write that it refuses, with a general message, or with one for a field. */
const refusal = (status: number, detail: string, field?: string) =>
  read(
    Promise.resolve({
      error: { status, detail, ...(field && { errors: { [field]: detail } }) },
      response: { ok: false, status } as Response,
    }),
  )

test('each error has a German sentence of its own', () => {
  expect(codes.length).toBeGreaterThan(250)
  const english = errorsIn('en')
  expect(codes.filter((code) => !german[code]?.trim())).toEqual([])
  const untranslated = codes.filter(
    (code) => german[code] === english[code] && /\p{L}{3}/u.test(english[code]?.replace(/\{[^}]*\}/g, '') ?? ''),
  )
  expect(untranslated).toEqual([])
})

test('a form shows each beside its field, or else above its buttons', async () => {
  let next = { detail: '', field: '' }
  const send = () => refusal(next.field ? 422 : 409, next.detail, next.field)
  const { container } = render(
    <MemoryRouter>
      <DialogsProvider>
        <ReasonForm
          name="report"
          help=""
          button="Melden"
          busy=""
          failure="Ging nicht"
          send={send}
          onCancel={() => {}}
        />
      </DialogsProvider>
    </MemoryRouter>,
  )
  const [reason, button] = [screen.getByRole('textbox'), screen.getByRole('button', { name: 'Melden' })]
  fireEvent.change(reason, { target: { value: 'Nicht bezahlt' } })
  const shown = {
    '': () => container.querySelector('[role=alert]')?.textContent,
    reason: () => document.getElementById(reason.getAttribute('aria-describedby') ?? '')?.textContent,
  }
  for (const code of codes) {
    for (const field of ['', 'reason'] as const) {
      next = { detail: german[code] ?? '', field }
      await act(async () => fireEvent.click(button))
      await vi.waitFor(() => expect(shown[field](), code).toBe(next.detail), { interval: 1 })
    }
  }
})

test('a page shows each', async () => {
  for (const code of codes) {
    const error = await refusal(403, german[code] ?? '').catch((cause: unknown) => cause)
    const { container, unmount } = render(<Failure error={error} fallback="Ging nicht" />)
    expect(container.querySelector('[role=alert]')?.textContent, code).toBe(german[code])
    unmount()
  }
})
