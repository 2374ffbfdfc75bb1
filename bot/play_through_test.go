package bot_test

import (
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
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
		text := typed[o.Name]
		if text == "" {
			text = "1"
		}
		switch {
		case len(o.Choices) > 0:
			given = append(given, discordtest.Str(o.Name, o.Choices[0].Name))
		case o.Type == discordtest.OptionString:
			given = append(given, discordtest.Str(o.Name, text))
		case o.Type == discordtest.OptionInteger:
			given = append(given, discordtest.Int(o.Name, 5))
		case o.Type == discordtest.OptionBoolean:
			given = append(given, discordtest.Bool(o.Name, true))
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

func TestEverythingThatTheBotSaysIsAsDiscordWantsIt(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"en-US", "de"} {
		t.Run(locale, func(t *testing.T) {
			t.Parallel()
			w := openWithoutBot(t)
			w.market = core.New(w.store, core.Options{
				Now: w.Now, Forms: coretest.Forms, Features: core.AllFeatures(),
				Moderators: core.Moderators{Accounts: []string{w.Player(t, "maple").ID()}},
			})
			w.bot = w.start(func(o *bot.Options) { o.Features = core.AllFeatures() })
			w.WaitForBot(t)
			for _, who := range []string{"maple", "juniper_fox", "rowan.ashdown"} {
				w.Player(t, who).SetLocale(locale)
				w.actor(who)
			}
			p := &playThrough{world: w, who: w.Player(t, "maple").In("request-board"), pressed: map[string]bool{}}
			own, other := w.post("maple"), w.post("juniper_fox")
			w.offer("rowan.ashdown", own, 20)
			offered := w.offer("maple", other, 20)
			if _, err := w.market.ReportOrder(t.Context(), w.actor("rowan.ashdown"), other.ID, "Look at this"); err != nil {
				t.Fatal(err)
			}
			w.accepts(offered, 20)
			w.Advance(core.AgreedWithin + time.Hour)
			w.process()
			w.ended("maple")
			for _, c := range w.Commands() {
				if c.Type == 1 && c.Name != "data" {
					p.command(c.Name, c.Options)
				}
			}
			for _, v := range append(p.who.DMs(), p.who.Messages()...) {
				p.message(v)
			}
			p.command("data", []discordtest.CommandOption{{Type: discordtest.OptionSubcommand, Name: "download"}, {Type: discordtest.OptionSubcommand, Name: "delete"}})
			if p.played < 120 || len(p.pressed) < 40 {
				t.Errorf("only %d interactions were played, with %d kinds of buttons, lists and forms", p.played, len(p.pressed))
			}
			for _, v := range w.Violations() {
				t.Errorf("not as Discord describes it: %+v", v)
			}
			actions := make([]string, 0, len(p.pressed))
			for action := range p.pressed {
				actions = append(actions, action)
			}
			t.Logf("%d interactions; pressed %s", p.played, strings.Join(actions, " "))
		})
	}
}
