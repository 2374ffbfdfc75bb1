package bot_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot"
	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/core/text"
	"tradepost/core/trade"
)

// typed is what the play-through fills in, by the name of an option; "1" for all others.
var typed = map[string]string{
	"item": "Iron Ore", "price": "1g", "min-price": "1s", "max-price": "2g", "lines": "5x Copper Ore 9s", "reason": "It does not belong here", "from": "22:00",
	"to": "07:00", "zone": "Europe/Berlin", "search": "ore", "names": "oldtamsin, juniper_fox", "user": "rowan.ashdown", "trader": "rowan.ashdown", "message": "Tonight",
	"name": "Iron Ore", "into": "Iron Ore", "category": "Miner", "by": "tomorrow", "good-until": "tomorrow", "until": "tomorrow", "contact": "maple",
}

// playThrough uses every command, and every kind of button, list and form that it meets, as one user. The stand-in fails the test for
// every request of the bot's that is not as Discord describes it, and for every answer or event of its own that is not.
type playThrough struct {
	*world
	who     *discordtest.Player
	played  int
	pressed map[string]bool // by action
}

func (p *playThrough) command(path string, options []discordtest.CommandOption) {
	var sub []discordtest.CommandOption
	for _, o := range options {
		if o.Type == discordtest.OptionSubcommand || o.Type == discordtest.OptionGroup {
			sub = append(sub, o)
		}
	}
	for _, o := range sub {
		p.command(path+" "+o.Name, o.Options)
	}
	if len(sub) > 0 {
		return
	}
	var given []discordtest.Option
	for _, o := range options {
		value := typed[o.Name]
		if value == "" {
			value = "1"
		}
		switch {
		case len(o.Choices) > 0:
			given = append(given, discordtest.Str(o.Name, o.Choices[0].Name))
		case o.Type == discordtest.OptionString:
			given = append(given, discordtest.Str(o.Name, value))
		case o.Type == discordtest.OptionInteger:
			given = append(given, discordtest.Int(o.Name, 5))
		case o.Type == discordtest.OptionBoolean:
			given = append(given, discordtest.Bool(o.Name, true))
		case o.Type == discordtest.OptionChannel:
			given = append(given, discordtest.ChannelOption(o.Name, "requests"))
		}
		if o.Autocomplete {
			p.played++
			p.who.Complete(path, o.Name, "i")
		}
	}
	p.answer(p.who.ForgeSlash(path, given...))
}

// answer goes on with what an answer offers.
func (p *playThrough) answer(r *discordtest.Reply) {
	p.played++
	switch {
	case r.Modal != nil:
		if id, ok := discord.ParseCustomID(r.Modal.CustomID); ok {
			p.pressed[id.Action] = true
		}
		fields := map[string]string{}
		for _, part := range r.Modal.Components {
			if part.Component != nil && part.Component.Value == "" && len(part.Component.Options) == 0 {
				fields[part.Component.CustomID] = "12"
			}
		}
		p.answer(r.Modal.ForgeSubmit(fields))
	case r.View != nil:
		p.message(r.View)
	}
}

func (p *playThrough) message(v *discordtest.View) {
	var walk func([]discordtest.Component)
	walk = func(parts []discordtest.Component) {
		for _, c := range parts {
			if id, ok := discord.ParseCustomID(c.CustomID); ok && !c.Disabled && !p.pressed[id.Action] && id.Action != "leave" {
				p.pressed[id.Action] = true
				var values []string
				if len(c.Options) > 0 {
					values = []string{c.Options[0].Value}
				}
				p.answer(p.who.ForgePress(v, c.CustomID, values...))
			}
			walk(c.Components)
			if c.Accessory != nil {
				walk([]discordtest.Component{*c.Accessory})
			}
		}
	}
	walk(v.Components)
}

// visits collects what was answered, by the names of Hooks.Interaction.
type visits struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (v *visits) note(name, outcome string, _ time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if outcome == "ok" || outcome == "refused" {
		v.seen[name] = true
	}
}

// missing lists those of the names that were not visited.
func (v *visits) missing(names []string) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return v.seen[name] })))
}

// elsewhere are buttons, lists and forms that need more of a market than the play-through sets up, or a moment that it does not wait
// for. A forged press is answered as such. All others must be on a message that the player sees.
var elsewhere = strings.Fields(`
	accept accept-more answer ask-listing ask-no ask-sent ask-yes audit block block-seller blocked allow-reach cancel-leaving count-again decline dismiss dispute-picked disputes edit-price end-role go-on have-alerts have-fix
	have-price have-save hear-all hours-erased hours-picked ignore-names inbox
	keep-offer later leave leave-ring list list-offer list-offered look-at meet-at meet-by meet-chosen meet-on meet-other meet-works merge-name met met-sure mute-buyer names not-met not-met-sure offer-picked offer-stock
	offers-picked own-receipt own-slip panel-ask panel-received part parted pick-item plain-bell play-hours plain-picked plain-remove post-several receipt-picked receipts remove-listing remove-offer remove-order removed-listing removed-offer removed-order
	renew replace report-listing report-open return-boards rule ruled set-aside several-fix slip slip-again slip-met slip-name slip-named slip-picked slip-place slip-placed snooze
	snooze-stock stay stop-reach stop-stock stop-watch take-back trade-picked trades unblock-picked undo-sale use-item use-maker use-price vouch wanted watch-pause watch-picked watch-remove watch-save`)

// forge presses what was not met on any message.
func (p *playThrough) forge(seen *visits, order core.OrderID) {
	p.t.Helper()
	on := p.who.Messages()[0]
	press := func(action string) {
		p.pressed[action] = true
		p.answer(p.who.ForgePress(on, discord.NewCustomID(action, int64(order)).String()))
	}
	for _, name := range seen.missing(p.bot.Answered()) {
		switch {
		case strings.HasPrefix(name, "/"), name == "leave", name == "cancel-leaving":
			continue
		case !slices.Contains(elsewhere, name) && !p.pressed[name]:
			p.t.Errorf("no message that was shown has %s", name)
		}
		press(name)
	}
	press("leave") // last: a user who is leaving gets no further
	press("cancel-leaving")
}

func TestEverythingThatTheBotSaysIsAsDiscordWantsIt(t *testing.T) {
	t.Parallel()
	for _, language := range append(text.Offered{bot.Pseudo(text.Languages[0]), bot.Pseudo(text.For("de").Language)}, text.Languages...) {
		t.Run(language.Name, func(t *testing.T) {
			t.Parallel()
			locale := language.Locales[0]
			sent := &bot.Cuts{T: t}
			w := openWithoutBot(t)
			w.market = market.New(w.store, market.Options{
				Now: w.Now, Forms: coretest.Forms, Features: core.EveryFeature(),
				Moderators: people.Moderators{Accounts: []string{w.Player(t, "maple").ID()}},
			})
			seen := &visits{seen: map[string]bool{}}
			w.bot = w.start(func(o *bot.Options) {
				o.Features, o.Hooks.Interaction = core.EveryFeature(), seen.note
				if !slices.Contains(text.Languages, language) {
					o.Languages = text.Offered{language}
					sent.RoundTripper, o.Transport = o.Transport, sent
				}
			})
			w.WaitForBot(t)
			for _, who := range []string{"maple", "juniper_fox", "rowan.ashdown", "oldtamsin"} {
				w.Player(t, who).SetLocale(locale)
				actor := w.actor(who)
				if slices.Contains(text.Names(), language.Name) { // direct messages follow it
					w.must(w.market.People.SetLanguage(t.Context(), actor, language.Name))
				}
			}
			w.HomeServer().SetLocale(locale)
			p := &playThrough{world: w, who: w.Player(t, "maple").In("request-board"), pressed: map[string]bool{}}
			p.places()
			w.Player(t, "oldtamsin")
			w.establish("oldtamsin")
			posing := func(d *trade.OrderDraft) { d.InGameName = "0ldtamsin" }
			own, other := w.post("maple"), w.post("juniper_fox", posing)
			w.offer("rowan.ashdown", own, 20)
			offered := w.offer("maple", other, 20)
			if _, err := w.market.Moderation.ReportOrder(t.Context(), w.actor("rowan.ashdown"), other.ID, "Look at this"); err != nil {
				t.Fatal(err)
			}
			w.accepts(offered, 20)
			w.Advance(trade.AgreedWithin + time.Hour)
			w.process()
			w.ended("maple")
			p.commands()
			p.everyMessage()
			board := p.who
			p.who = board.InDM()
			p.commands()
			p.everyMessage()
			p.who = board.InstallForMyself().In(w.Conversation(p.who, w.Player(t, "rowan.ashdown"), w.Player(t, "juniper_fox")))
			p.commands()
			p.who = board
			p.forge(seen, own.ID)
			t.Cleanup(func() {
				for _, name := range seen.missing(w.bot.Answered()) {
					t.Errorf("not visited: %s", name)
				}
			})
			w.until("everything to be visited", func() bool { return len(seen.missing(w.bot.Answered())) == 0 }) // noted after it was answered
			if language.Name == "de" {
				for _, found := range englishIn(t, w.Requests(), typedByAll()...) {
					t.Errorf("English words in German: %s", found)
				}
			}
			for _, v := range w.Violations() {
				t.Errorf("not as Discord describes it: %+v", v)
			}
			t.Logf("%d interactions", p.played)
		})
	}
}

// typedByAll returns what users type in the play-through, and names of the game.
func typedByAll() []string {
	all := []string{
		"Look at this", "I have plenty", "Lot", "0ldtamsin", "oldtamsin", "maple", "juniper_fox", "rowan.ashdown", "Iron Ore", "Copper Ore", "Tradepost", "America/New_York",
	}
	for _, one := range typed {
		all = append(all, one)
	}
	return all
}

// places sets up boards: one for some professions whose roles are pinged, and one in a forum.
func (p *playThrough) places() {
	p.HomeServer().InviteBot(discordgo.PermissionManageRoles | discordgo.PermissionCreatePrivateThreads)
	p.HomeServer().AddChannel("requests", discordtest.ForumChannel).AddTags("Miner", "Open", "Closed")
	board := p.who
	p.who = board.In("tavern")
	p.who.Slash("board here", discordtest.Str("category", "Miner"), discordtest.Str("category-2", "Chef"))
	p.who.Slash("board pings", discordtest.Bool("on", true))
	p.message(p.who.WaitMessage("the message with the buttons of roles", func(v *discordtest.View) bool { return len(v.Buttons()) == 2 }))
	p.who = board
	p.who.In("trading-post").Slash("board here", discordtest.ChannelOption("forum", "requests"))
}

// commands uses every command that the player sees where they are.
func (p *playThrough) commands() {
	p.t.Helper()
	visible := p.CommandsFor(p.who)
	for _, c := range p.Commands() {
		if c.Type == 1 && c.Name != "market" && slices.Contains(visible, c.Name) {
			p.command(c.Name, c.Options)
		}
		if c.Type == 2 {
			p.answer(p.who.UseOnPerson(p.Player(p.t, "rowan.ashdown"), c.Name))
		}
	}
	panel := p.who.Slash("market") // last: its buttons lead to everything else
	p.answer(panel)
	p.answer(p.who.ForgePress(panel.View, "1|settings")) // its button may have been met with another meaning
}

// everyMessage presses what the player sees in direct messages and in every channel and thread, and uses the commands of the menu
// of a message.
func (p *playThrough) everyMessage() {
	p.t.Helper()
	for _, v := range p.who.DMs() {
		p.message(v)
	}
	for _, name := range []string{"request-board", "trading-post", "tavern", "requests"} {
		channels := append(p.Channel(name).Threads(), p.Channel(name))
		for _, c := range channels {
			there := p.who.In(c.ID())
			for _, v := range there.Messages() {
				p.message(v)
				for _, c := range p.Commands() {
					if c.Type == 3 {
						p.answer(there.UseOn(v, c.Name))
					}
				}
			}
		}
	}
}
