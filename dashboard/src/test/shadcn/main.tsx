import { createRoot } from 'react-dom/client'
import { Toaster } from '@/components/ui/sonner'
import { CommandMenu } from './pages/command-menu'
import { ConfirmAndEmpty } from './pages/confirm-and-empty'
import { DataTable } from './pages/data-table'
import { SettingsSheet } from './pages/settings-sheet'
import { SignInCard } from './pages/sign-in-card'
import './pages.css'

// Shows one page in a browser, to look at it: `npm run dev`, then /src/test/shadcn/?page=data-table
const pages: Record<string, () => React.ReactNode> = {
  'command-menu': CommandMenu,
  'confirm-and-empty': ConfirmAndEmpty,
  'data-table': DataTable,
  'settings-sheet': SettingsSheet,
  'sign-in-card': SignInCard,
}

const asked = new URLSearchParams(location.search)
document.documentElement.classList.toggle('dark', asked.get('theme') === 'dark')
const Page = pages[asked.get('page') ?? 'data-table'] ?? DataTable

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <main id="content" className="grid gap-4 p-6">
      <h1 className="sr-only">{Page.name}</h1>
      <Page />
      <Toaster />
    </main>,
  )
}
