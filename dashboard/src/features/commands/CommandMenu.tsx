import { Plus, RotateCw, Search } from 'lucide-react'
import { type ReactNode, use, useRef, useState } from 'react'
import type { Order, OrderPage, User } from '@/api/types'
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
import { formatNumber, formatTotal } from '@/lib/format'
import { categories, categoryName, limits } from '@/lib/market'
import { rich, t } from '@/lib/texts'
import { boardAt, type Command, isMeant, useCommands, usePost } from './useCommands'
import { useFound } from './useFound'

/** Goes to pages, searches, posts, and does what the user may do from anywhere. */
export default function CommandMenu({ open, onClose, user }: DialogProps) {
  const { opener, framed, scrim } = use(DialogOpening)
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
      title={t('common_commands')}
      description={t('commands_description')}
      className={cn(commandsClass, 'max-h-none gap-0 [&>button]:top-2', framed && 'data-[state=open]:animate-none')}
      content={{ ...(scrim && { 'data-scrim': true }), onCloseAutoFocus, closeLabel: t('common_close') }}
      // What is typed also finds requests on the server. Ctrl+K closes the menu and goes to no command.
      command={{ shouldFilter: false, vimBindings: false, label: t('common_commands'), loop: true }}
    >
      <CommandInput
        placeholder={t('commands_placeholder')}
        maxLength={limits.itemName}
        value={typed}
        onValueChange={setTyped}
      />
      <CommandList className="max-h-[min(26rem,calc(100dvh-9rem))]">
        <Commands user={user} text={typed.trim()} onClose={onClose} />
      </CommandList>
      <p className="hidden items-center gap-1.5 border-t px-4 py-2 text-muted-foreground text-xs pointer-fine:flex">
        {rich('commands_keys', {
          arrows: (
            <>
              <Kbd>↑</Kbd>
              <Kbd>↓</Kbd>
            </>
          ),
          enter: <Kbd className="ml-2">Enter</Kbd>,
          escape: <Kbd className="ml-2">Esc</Kbd>,
        })}
      </p>
    </CommandDialog>
  )
}

type CommandsProps = { user: User | null; text: string; onClose: () => void }

function Commands({ user, text, onClose }: CommandsProps) {
  const { go } = useDialogs()
  const groups = useCommands(user, onClose)
  const professions = categories.filter((name) =>
    isMeant({ label: `${categoryName(name)} ${name}`, words: t('commands_words_profession') } as Command, text),
  )
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
      <Group heading={t('commands_by_profession')}>
        {professions.map((category) => (
          <CommandItem key={category} value={`profession ${category}`} onSelect={() => go(boardAt({ category }))}>
            <CategoryIcon category={category} /> {categoryName(category)}
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
      <CommandGroup heading={t('commands_search')}>
        <CommandItem value="search" onSelect={() => go(boardAt({ q: text }))}>
          <Search aria-hidden />
          <Words>{rich('commands_search_for', { words: <Typed>{text}</Typed> })}</Words>
          {page && <CommandShortcut className="tabular tracking-normal">{formatTotal(page)}</CommandShortcut>}
        </CommandItem>
        {items.map((name) => (
          <CommandItem key={name} value={`item ${name}`} onSelect={() => go(boardAt({ q: name }))}>
            <Search aria-hidden />
            <Words>{rich('commands_search_for', { words: <Typed>{name}</Typed> })}</Words>
          </CommandItem>
        ))}
      </CommandGroup>
      {requests.length > 0 && (
        <CommandGroup heading={t('commands_open_requests')} className={loading ? 'opacity-60' : undefined}>
          {requests.map((order) => (
            <Request key={order.id} order={order} onChoose={() => go(`/requests/${order.id}`)} />
          ))}
        </CommandGroup>
      )}
      {failed && (
        <CommandGroup heading={t('commands_open_requests')}>
          <CommandItem value="retry" className="text-destructive" onSelect={retry}>
            <RotateCw aria-hidden /> {t('common_failed_to_load_orders')}
          </CommandItem>
        </CommandGroup>
      )}
      {mayPost && (
        <CommandGroup heading={t('commands_post')}>
          {[text, ...items.slice(0, 2)].map((name) => (
            <CommandItem key={name} value={`post ${name}`} onSelect={() => post(name)}>
              <Plus aria-hidden />
              <Words>{rich('commands_post_for', { item: <Typed>{name}</Typed> })}</Words>
            </CommandItem>
          ))}
        </CommandGroup>
      )}
      <p role="status" className="sr-only">
        {failed ? t('commands_search_failed') : loading ? t('commands_searching') : found(page)}
      </p>
    </>
  )
}

function found(page: OrderPage | undefined) {
  const { total: count, totalIsExact = true } = page ?? { total: 0 }
  return totalIsExact ? t('commands_found', { count }) : t('commands_found_at_least', { count })
}

const Words = ({ children }: { children: ReactNode }) => <span className="min-w-0 truncate">{children}</span>

function Request({ order, onChoose }: { order: Order; onChoose: () => void }) {
  return (
    <CommandItem value={`request ${order.id}`} onSelect={onChoose}>
      <CategoryIcon category={order.category} />
      <span className="min-w-0 flex-1 truncate">
        <Typed>{order.itemName}</Typed>
      </span>
      <span className="tabular shrink-0 text-muted-foreground text-xs">
        {rich('commands_quantity_at', {
          quantity: order.quantity - order.sold,
          price: <Amount value={order.maxPricePerUnit} />,
        })}
      </span>
    </CommandItem>
  )
}
