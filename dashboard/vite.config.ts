import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { ahead } from './scripts/ahead.ts'
import { precompress } from './scripts/precompress.ts'
import { texts } from './scripts/texts.ts'

const server = process.env.TRADEPOST_URL ?? 'http://127.0.0.1:8080'

const packages = (names: string[]) => new RegExp(`/node_modules/(${names.join('|')})/`)

// Every visit needs these; they change only when a package does.
const always = [
  'react',
  'react-dom',
  'scheduler',
  'react-router',
  '@tanstack/react-query',
  '@tanstack/query-core',
  'clsx',
  'tailwind-merge',
  'class-variance-authority',
  'openapi-fetch',
  '@radix-ui/react-slot',
  '@radix-ui/react-compose-refs',
]

// What the board needs before a card can be pressed, besides its entry. Small files apiece would weigh more.
const first = new RegExp(
  [
    '/core/game\\.json$',
    '/src/api/(?!account|events|hours|language|listings|reach|savedSearch|searches|handovers|items|liveOrders|lists|rings|rules|sales|slips|moderation|postedLists|prices|receipts|stock|tokens|webhooks|traders|undo|notices|sessions|wanted|watches)',
    '/src/lib/(?!languages|lines|time|trustedStyles|validation|share|suspicion|drafts|filledDrafts|lastPost|text\\.|clipboard|asked|byWhen|odds|items|side|suggested|embed)',
    '/src/hooks/(?!use((Draft|Send)Form|PriceQuestion)|useIdempotencyKey|useSendKey|useSearches|useSignOut|useNear|useClamped|useDelayedValue)',
    '/src/app/(PageFrame|places|Tabs|Waiting)\\.',
    '/src/components/(buttons|category|error-panel|lazy-menu|coins|discord-mark|look-alike-icon|opening-frame|page-link|progress-bar|tag|ui/(button|badge|card|input\\.|progress|skeleton))',
    '/src/features/orders/(board/(CardSkeletons|LoadMore)|card/OrderBadges)',
    '/@radix-ui/react-primitive/',
    '/lucide-react/dist/esm/(?!icons/)',
    '/lucide-react/dist/esm/icons/(bookmark|check|chevron-(down|right)|(circle|triangle|cloud)-exclamation-point|handshake|inbox|search|x)\\.',
  ].join('|'),
)

// What only cards need before they can be pressed: with the list it is loaded later.
const cards = new RegExp(
  [
    '/src/components/copy-button',
    '/src/features/orders/(board/OrderGrid|card/(OrderCard|Card(Actions|Badges|Details|Pay)|Day|Description|EarningsCalculator|LazyMenus))',
    '/src/hooks/(useNear|useClamped)',
    '/src/lib/clipboard',
    '/lucide-react/dist/esm/icons/(circle-check-big|ellipsis|rotate-ccw)\\.',
  ].join('|'),
)

// What signed-in people see around every page.
const own = /\/src\/(app\/(OwnBar|TodoStrip)|api\/account|components\/ui\/kbd|hooks\/useSignOut)|\/icons\/bell\./

// What starts once the page is there.
const live =
  /\/src\/(app\/(Live|Foot)|api\/(notices|events|language)|hooks\/use(IdempotencyKey|SendKey))|\/icons\/scroll-text\./

// The dialogs, in a few files: what they are all made of, then each with those that the same person opens.
const dialogs = {
  forms: new RegExp(
    [
      '/src/components/(choice|coin-input|dialog-frame|draft-notice|item-(combobox|listbox|options)|labelled-field|page-dialog|question-dialog|success|switch-field|ui/(dialog|select|switch|checkbox|label))',
      '/src/hooks/use((Draft|Send)Form|PriceQuestion|DelayedValue)',
      '/src/lib/(validation|drafts|filledDrafts|asked|text\\.)',
      '/node_modules/(react-hook-form|@hookform|zod|@radix-ui/react-(dialog|select|switch|checkbox|label|popper|menu|dropdown-menu)|@floating-ui)/',
    ].join('|'),
  ),
  saving:
    /\/src\/(api\/(savedSearch|searches|watches)|hooks\/useSearches|features\/finding\/(SaveButton|useSaving|savedWords))/,
  offering:
    /\/src\/features\/(offers\/(OfferDialog|OfferMore|GoodUntil|ReceiptsDialog)|session\/SignIn|moderation\/AboutOrder)/,
  posting:
    /\/src\/features\/(orders\/form|offers\/(OffersDialog|OfferRow|AnswerBar|useAnswers)|sales\/SalesDialog|orders\/card\/ConfirmDialog)/,
  account: /\/src\/features\/(finding|notices|session)\/(Data|Notices|Searches|Skills|Watches)Dialog/,
}

// Small parts of several pages and dialogs.
const later = new RegExp(
  [
    '/src/app/(ListPart|PageHeading|SignedIn)',
    '/src/components/(typed|undo-button|notice|receipts?|request-(summary|details)|quantity-input|ui/textarea)\\.',
    '/src/features/offers/offerStates',
    '/lucide-react/dist/esm/icons/(badge-check|circle-check|info|link-2|pencil|shield-(check|x)|trash|undo-2)\\.',
  ].join('|'),
)

const router = fileURLToPath(new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url))

const everywhere = /\/(vendor|page|index|live|rolldown-runtime)-[^/]+$/

// What every menu and every dialog needs.
const overlays = packages([
  '@radix-ui/primitive',
  '@radix-ui/react-(context|dismissable-layer|focus-guards|focus-scope|id|portal|presence)',
  '@radix-ui/react-use-[a-z-]+',
  'aria-hidden',
  'react-remove-scroll(-bar)?',
  'react-style-singleton',
  'use-callback-ref',
  'use-sidecar',
  'get-nonce',
  'tslib',
])

// Parts that few visits open load their own files one after the other: to name them takes room in the first load.
const seldom =
  /\/(ActiveFilters|BlockNotice|BrowseSides|CompletedPage|KeepInAccount|KeysDialog|LeavingScreen|ModerationPage|NotFoundPage|NothingFound|OfferLinkPage|OtherPage|Programs|ReceivedOffersPage|WantedPage|Webhooks)-[^/]+$/

export default defineConfig({
  plugins: [texts(), react(), tailwindcss(), ahead(), precompress()],
  resolve: {
    alias: [
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      // Its package names only the build that warns developers.
      { find: /^react-router$/, replacement: router },
    ],
  },
  build: {
    // The content security policy knows neither data: addresses nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What every visit has loaded already need not be named beside each part that is loaded later.
      resolveDependencies: (part, files, { hostType }) =>
        hostType === 'html' ? files : seldom.test(part) ? [] : files.filter((file) => !everywhere.test(file)),
    },
    license: { fileName: 'licences.md' }, // of all packages in the page; the release ships it
    rolldownOptions: {
      output: {
        // The scripts of each language have a folder: scripts/texts.ts.
        entryFileNames: 'assets/en/[name]-[hash:7].js',
        chunkFileNames: 'assets/en/[name]-[hash:7].js',
        // A browser asks for six files at a time: better a few that are used together than many small ones.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: packages(always) },
            { name: 'page', test: first },
            { name: 'cards', test: cards },
            { name: 'own', test: own },
            { name: 'live', test: live },
            { name: 'later', test: later },
            { name: 'overlays', test: overlays },
            ...Object.entries(dialogs).map(([name, test]) => ({ name, test })),
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    fs: { allow: ['.', '../core'] }, // the default game is in core
    proxy: { '/api': server, '/auth': server },
  },
})
