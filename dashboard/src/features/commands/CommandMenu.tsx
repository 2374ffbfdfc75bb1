import { Plus, RotateCw, Search } from 'lucide-react'
import { type ReactNode, use, useRef, useState } from 'react'
import type { Order, User } from '@/api/types'
import { CategoryIcon } from '@/components/category'
import { Amount } from '@/components/coins'
import { returnFocus } from '@/components/dialog-focus'
import { commandsClass, DialogOpening } from '@/components/dialog-frame'
import { Typed } from '@/components/typed'
import {
  CommandDialog,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
  CommandShortcut,
} from '@/components/ui/command'
import { Kbd } from '@/components/ui/kbd'
import { type DialogProps, useDialogs } from '@/hooks/useDialogs'
import { cn } from '@/lib/cn'
import { formatNumber, formatTotal, totalOf } from '@/lib/format'
import { categories, limits } from '@/lib/market'
import { boardAt, type Command, isMeant, useCommands, usePost } from './useCommands'
import { useFound } from './useFound'

/** Goes to pages, searches, posts, and does what the user may do from anywhere. */
export default function CommandMenu({ open, onClose, user }: DialogProps) {
  const { opener, framed } = use(DialogOpening)
  const [typed, setTyped] = useState('')
  const start = useRef(location.pathname)

  function onCloseAutoFocus(event: Event) {
    event.preventDefault()
    if (document.querySelector('[data-slot="dialog-content"][data-state="open"]')) return // a dialog took its place
    returnFocus(location.pathname === start.current ? opener : null, { preventScroll: true })
  }

  return (
    <CommandDialog
      open={open}
      onOpenChange={(stays) => !stays && onClose()}
      title="Commands"
      description="Go to a page, search, post a request, or change the view."
      className={cn(commandsClass, 'max-h-none gap-0 [&>button]:top-2', framed && 'data-[state=open]:animate-none')}
      content={{ onCloseAutoFocus }}
      // What is typed also finds requests on the server. Ctrl+K closes the menu and goes to no command.
      command={{ shouldFilter: false, vimBindings: false, label: 'Commands', loop: true }}
    >
      <CommandInput
        placeholder="Search, or type a command"
        maxLength={limits.itemName}
        value={typed}
        onValueChange={setTyped}
      />
      <CommandList className="max-h-[min(26rem,calc(100dvh-9rem))]">
        <Commands user={user} text={typed.trim()} onClose={onClose} />
      </CommandList>
      <p className="hidden items-center gap-1.5 border-t px-4 py-2 text-muted-foreground text-xs pointer-fine:flex">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd> walk <Kbd className="ml-2">Enter</Kbd> choose <Kbd className="ml-2">Esc</Kbd> close
      </p>
    </CommandDialog>
  )
}

type CommandsProps = { user: User | null; text: string; onClose: () => void }

function Commands({ user, text, onClose }: CommandsProps) {
  const { go } = useDialogs()
  const groups = useCommands(user, onClose)
  const professions = categories.filter((name) => isMeant({ label: name, words: 'profession' } as Command, text))
  return (
    <>
      {groups.map(({ heading, commands }) => {
        const meant = commands.filter((command) => isMeant(command, text))
        return (
          <Group key={heading} heading={heading}>
            {meant.map(({ label, icon: Icon, count = 0, run }) => (
              <CommandItem key={label} value={label} onSelect={run}>
                <Icon aria-hidden /> {label}
                {count > 0 && (
                  <CommandShortcut className="tabular tracking-normal">{formatNumber(count)}</CommandShortcut>
                )}
              </CommandItem>
            ))}
          </Group>
        )
      })}
      <Group heading="Requests by profession">
        {professions.map((category) => (
          <CommandItem key={category} value={`profession ${category}`} onSelect={() => go(boardAt({ category }))}>
            <CategoryIcon category={category} /> {category}
          </CommandItem>
        ))}
      </Group>
      {text && <Found user={user} text={text} />}
    </>
  )
}

/** A group that is not there without commands. */
function Group({ heading, children }: { heading: string; children: ReactNode[] }) {
  return children.length > 0 && <CommandGroup heading={heading}>{children}</CommandGroup>
}

/** What the text finds, and what else can be done with it. */
function Found({ user, text }: { user: User | null; text: string }) {
  const { go } = useDialogs()
  const post = usePost(user)
  const { requests, page, items, loading, failed, retry } = useFound(text)
  const mayPost = !user?.blockedFor
  return (
    <>
      <CommandGroup heading="Search">
        <CommandItem value="search" onSelect={() => go(boardAt({ q: text }))}>
          <Search aria-hidden />
          <Words before="Search requests for" text={text} />
          {page && <CommandShortcut className="tabular tracking-normal">{formatTotal(page)}</CommandShortcut>}
        </CommandItem>
        {items.map((name) => (
          <CommandItem key={name} value={`item ${name}`} onSelect={() => go(boardAt({ q: name }))}>
            <Search aria-hidden />
            <Words before="Search requests for" text={name} />
          </CommandItem>
        ))}
      </CommandGroup>
      {requests.length > 0 && (
        <CommandGroup heading="Open requests" className={loading ? 'opacity-60' : undefined}>
          {requests.map((order) => (
            <Request key={order.id} order={order} onChoose={() => go(`/requests/${order.id}`)} />
          ))}
        </CommandGroup>
      )}
      {failed && (
        <CommandGroup heading="Open requests">
          <CommandItem value="retry" className="text-destructive" onSelect={retry}>
            <RotateCw aria-hidden /> Failed to load orders. Please try again.
          </CommandItem>
        </CommandGroup>
      )}
      {mayPost && (
        <CommandGroup heading="Post">
          {[text, ...items.slice(0, 2)].map((name) => (
            <CommandItem key={name} value={`post ${name}`} onSelect={() => post(name)}>
              <Plus aria-hidden />
              <Words before="Post a request for" text={name} />
            </CommandItem>
          ))}
        </CommandGroup>
      )}
      <p role="status" className="sr-only">
        {failed ? 'Search failed' : loading ? 'Searching' : `${totalOf(page ?? { total: 0 }, 'open request')} found`}
      </p>
    </>
  )
}

function Words({ before, text }: { before: string; text: string }) {
  return (
    <span className="min-w-0 truncate">
      {before} “<Typed>{text}</Typed>”
    </span>
  )
}

function Request({ order, onChoose }: { order: Order; onChoose: () => void }) {
  return (
    <CommandItem value={`request ${order.id}`} onSelect={onChoose}>
      <CategoryIcon category={order.category} />
      <span className="min-w-0 flex-1 truncate">
        <Typed>{order.itemName}</Typed>
      </span>
      <span className="tabular shrink-0 text-muted-foreground text-xs">
        {formatNumber(order.quantity - order.sold)} at <Amount value={order.maxPricePerUnit} />
      </span>
    </CommandItem>
  )
}
