package bot

import (
	"log/slog"
	"sync/atomic"
	"time"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/security"
)

// Kernel takes interactions, calls the handler that answers them and sends the answer. It has what several nouns need.
type Kernel struct {
	Drawer
	hooks       Hooks
	security    *security.Log
	drafts      Drafts
	places      Places
	members     memberships
	discord     *discord.Client
	routes      routes
	inFlight    inFlight
	servers     []string      // the only ones that the bot answers in; empty for all
	firstAnswer time.Duration // how long it may take
	wake        chan struct{} // takes a signal when a board or an order has changed here
}

// Drawer draws what several nouns show.
type Drawer struct {
	market    Market
	log       *slog.Logger
	now       func() time.Time
	publicURL string // of the page; empty where nothing links to it
	siteName  string
	game      core.Game
	features  core.Features

	emojis     atomic.Pointer[map[string]string]  // ids by name; nil before they are known
	commandIDs atomic.Pointer[discord.CommandIDs] // nil until the commands are synced
}
