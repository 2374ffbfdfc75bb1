// Package kernel receives interactions from Discord and sends their answers, and draws the parts that several
// nouns share.
//
// An interaction reaches Kernel.Answer (router.go), which signs the user in, finds the Route of the command
// or custom ID, calls its Handler and sends the Reply that it returns, deferred where that takes long
// (deferred.go). A Handler gets Input and returns a Reply or an error; it never calls Discord. Each noun is a
// package beside this one that embeds Kernel and returns its Routes; nouns do not import one another.
//
// A Drawer draws cards, a Translator writes texts in a reader's language.
package kernel

import (
	"log/slog"
	"sync/atomic"
	"time"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/security"
	msg "tradepost/core/text"
)

// Hooks are called for metrics. Each may be nil.
type Hooks struct {
	// Interaction is called for every interaction: the command or action (never what was typed), how it
	// ended ("ok", "refused", "failed", "unknown" or "lost") and how long the first answer took.
	Interaction func(name, outcome string, firstAnswer time.Duration)
	Gateway     func(state string)         // GatewayWaiting, GatewayConnecting, GatewayReady or GatewayDown
	Message     func(kind, outcome string) // a direct message: sent, edited, refused, later, failed
	Limited     func(scope string)         // a 429: user, global, shared or cloudflare
}

// Filled returns the hooks with an empty function in place of each nil.
func (h Hooks) Filled() Hooks {
	if h.Interaction == nil {
		h.Interaction = func(string, string, time.Duration) {}
	}
	if h.Gateway == nil {
		h.Gateway = func(string) {}
	}
	if h.Message == nil {
		h.Message = func(string, string) {}
	}
	if h.Limited == nil {
		h.Limited = func(string) {}
	}
	return h
}

// LevelOf returns the log level for a failure of Discord: a temporary failure is a warning.
func LevelOf(err error) slog.Level {
	if discord.IsTemporary(err) {
		return slog.LevelWarn
	}
	return slog.LevelError
}

// Kernel takes interactions, calls the handler that answers them and sends the answer. It has the parts that
// several nouns need.
type Kernel struct {
	Drawer
	Writes      core.Repeat // of every interaction
	Hooks       Hooks
	Security    *security.Log
	Drafts      Drafts
	Places      Places
	Members     memberships
	Discord     *discord.Client
	Table       Routes
	InFlight    inFlight
	Servers     []string      // the only ones that the bot answers in; empty for all
	FirstAnswer time.Duration // how long it may take
	Wake        chan struct{} // takes a signal when a board or an order has changed here
}

// WakeSync begins a pass over the channels now, because a board or an order has changed here.
func (k *Kernel) WakeSync() {
	select {
	case k.Wake <- struct{}{}:
	default: // a pass is about to begin
	}
}

// Drawer draws what several nouns show.
type Drawer struct {
	Market    *market.Market
	Log       *slog.Logger
	Now       func() time.Time
	PublicURL string // of the page; empty where nothing links to it
	SiteName  string
	Game      game.Game
	Features  core.Features
	Languages msg.Offered // that are spoken

	Emojis     atomic.Pointer[map[string]string]  // ids by name; nil before they are known
	commandIDs atomic.Pointer[discord.CommandIDs] // nil until the commands are synced
}

// KeepCommandIDs notes the ids by which commands are mentioned.
func (k *Kernel) KeepCommandIDs(ids discord.CommandIDs) { k.commandIDs.Store(&ids) }

// Translator returns the translator for the offered language of a locale, with the emojis that there are, and
// commands that can be pressed.
func (d *Drawer) Translator(locale string) Translator {
	t := Translator{Printer: d.Languages.For(locale), Game: d.Game}
	if known := d.Emojis.Load(); known != nil {
		t.emojis = *known
	}
	if ids := d.commandIDs.Load(); ids != nil {
		t.commands = *ids
	}
	return t
}

// TranslatorFor returns the translator for a reader's direct messages: in the language that they have chosen
// while it is offered, else in that of their Discord.
func (d *Drawer) TranslatorFor(reader notify.Mailbox) Translator {
	if d.Languages.Has(reader.Language) {
		return d.Translator(reader.Language)
	}
	return d.Translator(reader.Locale)
}
