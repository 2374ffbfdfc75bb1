import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Toaster } from 'sonner'
import { beforeEach, expect, test } from 'vitest'
import { standInForBrowser } from '../browser'
import { CommandMenu } from './pages/command-menu'
import { ConfirmAndEmpty } from './pages/confirm-and-empty'
import { DataTable } from './pages/data-table'
import { SettingsSheet } from './pages/settings-sheet'
import { SignInCard } from './pages/sign-in-card'

beforeEach(standInForBrowser)

// Pages as they are written for shadcn/ui elsewhere. They stay as they are: if one of them does not work, a part is wrong.

test('the command menu opens by its keys, finds and goes away; an item is chosen in a popover', async () => {
  const reader = userEvent.setup()
  render(<CommandMenu />)
  await reader.keyboard('{Control>}k{/Control}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Go to' }))
  await reader.keyboard('boa')
  expect(dialog.getByRole('option', { name: /Board/ })).toHaveAttribute('aria-selected', 'true')
  await reader.keyboard('xyz')
  expect(dialog.getByText('Nothing found')).toBeVisible()
  await reader.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()

  await reader.click(screen.getByText('Choose an item'))
  await reader.type(await screen.findByPlaceholderText('Type a name'), 'veg{Enter}')
  expect(screen.getAllByRole('combobox').at(-1)).toHaveTextContent('Fine Mixed Vegetables')
})

test('a click beside the field of an input group goes to the field', async () => {
  const reader = userEvent.setup()
  render(<CommandMenu />)
  await reader.click(screen.getByText('Ctrl'))
  expect(screen.getByPlaceholderText('Search')).toHaveFocus()
})

test('an alert dialog asks, a dialog, a drawer and a collapsible open and close', async () => {
  const reader = userEvent.setup()
  render(<ConfirmAndEmpty />)
  await reader.click(screen.getByRole('button', { name: 'Delete' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete this request?' }))
  expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await reader.click(question.getByRole('button', { name: 'Delete' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()

  await reader.click(screen.getByRole('button', { name: 'Open' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Offer' }))
  expect(dialog.getAllByRole('button')).toHaveLength(1) // no cross in the corner
  await reader.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await reader.click(screen.getByRole('button', { name: 'Details' }))
  expect(screen.getByText('MA')).toBeVisible()
  expect(screen.getByRole('status', { name: 'Loading' })).toBeVisible()

  await reader.click(screen.getByRole('button', { name: 'Open the drawer' }))
  expect(await screen.findByRole('dialog', { name: 'Receipt' })).toBeVisible()
})

test('a table sorts, its rows are selected, and its menu has every kind of item', async () => {
  const reader = userEvent.setup()
  render(<DataTable />)
  const first = () => screen.getAllByRole('row')[1]
  expect(first()).toHaveTextContent('Sturdy Hickory Log')
  await reader.click(screen.getByRole('button', { name: 'Item' }))
  expect(first()).toHaveTextContent('Perfect Hickory Branches')
  await reader.click(screen.getAllByRole('checkbox', { name: 'Select' })[0] as HTMLElement)
  expect(first()).toHaveAttribute('data-state', 'selected')
  expect(screen.getByRole('checkbox', { name: 'Select all' })).toBePartiallyChecked()

  await reader.click(screen.getByRole('button', { name: '' }))
  const menu = within(await screen.findByRole('menu'))
  expect(menu.getByRole('menuitemcheckbox', { name: 'Dense' })).toBeChecked()
  expect(menu.getByRole('menuitemradio', { name: 'Rows' })).toBeChecked()
  await reader.click(menu.getByRole('menuitemradio', { name: 'Cards' }))
  expect(screen.queryByRole('menu')).toBeNull()
})

test('a form in a sheet says what is wrong, is filled in and sent', async () => {
  const reader = userEvent.setup()
  render(
    <>
      <SettingsSheet />
      <Toaster />
    </>,
  )
  await reader.click(screen.getByRole('button', { name: 'Settings' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Settings' }))
  await reader.click(sheet.getByRole('button', { name: 'Save' }))
  const name = sheet.getByRole('textbox', { name: 'Name' })
  await waitFor(() => expect(name).toBeInvalid())
  expect(name).toHaveAccessibleDescription('As others see it. Item name is required')
  await reader.type(name, 'Maple')
  expect(name).toBeValid()
  await reader.click(sheet.getByRole('switch', { name: 'Direct messages' }))
  expect(sheet.getByRole('switch')).not.toBeChecked()

  sheet.getByRole('combobox', { name: 'Profession' }).focus()
  await reader.keyboard('{ArrowDown}')
  await reader.click(await screen.findByRole('option', { name: 'Fisher' }))
  expect(sheet.getByRole('combobox', { name: 'Profession' })).toHaveTextContent('Fisher')

  await reader.click(sheet.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()

  await reader.click(sheet.getByRole('tab', { name: 'Look' }))
  await reader.click(sheet.getByRole('radio', { name: 'Dark' }))
  expect(sheet.getByRole('radio', { name: 'Dark' })).toBeChecked()
  sheet.getByRole('slider').focus()
  await reader.keyboard('{ArrowRight}')
  expect(sheet.getByRole('slider')).toHaveAttribute('aria-valuenow', '41')
})

test('a card with a form shows its errors, and a link looks like a button', async () => {
  const reader = userEvent.setup()
  render(<SignInCard />)
  expect(screen.getByRole('textbox', { name: 'Email' })).toBeInvalid()
  expect(screen.getByText('Enter an email address')).toBeVisible()
  const remember = screen.getByRole('checkbox', { name: 'Remember me' })
  await reader.click(screen.getByText('Remember me'))
  expect(remember).not.toBeChecked()
  expect(screen.getByRole('link', { name: 'Continue with Discord' })).toHaveAttribute('data-slot', 'button')
})
