package discordtest_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// waits returns how long an answer asks to wait; zero for none.
func waits(err error) time.Duration {
	var limited *discordgo.RateLimitError
	if errors.As(err, &limited) {
		return limited.RetryAfter
	}
	return 0
}

// fresh has the client forget the limits that it has read.
func fresh(s *discordgo.Session) *discordgo.Session {
	s.Ratelimiter = discordgo.NewRatelimiter()
	return s
}

func TestEditsOfOldMessagesAreLimited(t *testing.T) {
	t.Parallel()
	guess := discordtest.RealLimits
	for name, size := range map[string]struct {
		n      int
		window time.Duration
	}{
		"a tenth":   {1, guess.OldEditsWindow},
		"the guess": {guess.OldEdits, guess.OldEditsWindow},
		"ten times": {10 * guess.OldEdits, guess.OldEditsWindow},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits, began := discordtest.Unlimited, time.Now()
			limits.OldEdits, limits.OldEditsWindow = size.n, size.window
			d := discordtest.New(t, discordtest.Options{Limits: &limits, Now: func() time.Time { return began }})
			s, tavern, board := d.Session(t), d.Channel("tavern").ID(), d.Channel("request-board").ID()
			s.ShouldRetryOnRateLimit = false
			sent := map[string]string{}
			for _, channel := range []string{tavern, board} {
				m, err := s.ChannelMessageSend(channel, "x")
				if err != nil {
					t.Fatal(err)
				}
				sent[channel] = m.ID
			}
			edit := func(channel string) error {
				_, err := fresh(s).ChannelMessageEdit(channel, sent[channel], "y")
				return err
			}
			d.Advance(time.Hour - time.Second)
			for range size.n + 1 {
				if err := edit(tavern); err != nil {
					t.Fatalf("an edit within an hour: %v", err)
				}
			}
			d.Advance(time.Second)
			for i := range size.n {
				if err := edit(tavern); err != nil {
					t.Fatalf("edit %d: %v", i+1, err)
				}
			}
			if wait := waits(edit(tavern)); wait != size.window {
				t.Errorf("the next one waits %s", wait)
			}
			if _, err := fresh(s).ChannelMessageSend(tavern, "z"); err != nil {
				t.Errorf("a new message: %v", err)
			}
			if err := edit(board); err != nil {
				t.Errorf("an old message of another channel: %v", err)
			}
			d.Advance(size.window)
			if err := edit(tavern); err != nil {
				t.Errorf("after the wait: %v", err)
			}
		})
	}
}

func TestAThreadIsRenamedTwiceInTenMinutes(t *testing.T) {
	t.Parallel()
	d, s := served(t)
	thread, err := s.ThreadStart(d.Channel("tavern").ID(), "Trade", discordgo.ChannelTypeGuildPublicThread, 60)
	if err != nil {
		t.Fatal(err)
	}
	rename := func(name string) error {
		_, err := fresh(s).ChannelEdit(thread.ID, &discordgo.ChannelEdit{Name: name})
		return err
	}
	for _, name := range []string{"one", "one", "two"} { // the second is no other name
		if err := rename(name); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if wait := waits(rename("three")); wait != 10*time.Minute {
		t.Errorf("the third name waits %s", wait)
	}
	archived := true
	if _, err := fresh(s).ChannelEdit(thread.ID, &discordgo.ChannelEdit{Archived: &archived}); err != nil {
		t.Errorf("archiving: %v", err)
	}
	d.Advance(10 * time.Minute)
	archived = false
	if _, err := fresh(s).ChannelEdit(thread.ID, &discordgo.ChannelEdit{Archived: &archived, Name: "three"}); err != nil {
		t.Errorf("after ten minutes: %v", err)
	}
}

func TestAServerHasAThousandOpenThreads(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, tavern := d.Session(t), d.Channel("tavern")
	for i := range 1000 {
		tavern.StartThread(fmt.Sprint("Trade ", i))
	}
	start := func() error {
		_, err := s.ThreadStart(tavern.ID(), "Trade", discordgo.ChannelTypeGuildPublicThread, 60)
		return err
	}
	if err := start(); code(err) != 160006 {
		t.Errorf("one more: %v", err)
	}
	archived := tavern.Threads()[0].Archive()
	if err := start(); err != nil {
		t.Errorf("after one was archived: %v", err)
	}
	opened := false
	if _, err := s.ChannelEdit(archived.ID(), &discordgo.ChannelEdit{Archived: &opened}); code(err) != 160006 {
		t.Errorf("opening it again: %v", err)
	}
}

func TestOpeningManyConversationsIsLimited(t *testing.T) {
	t.Parallel()
	limits, began := discordtest.Unlimited, time.Now()
	limits.DMs, limits.DMsWindow = 2, 10*time.Minute
	d := discordtest.New(t, discordtest.Options{Limits: &limits, Now: func() time.Time { return began }})
	s := d.Session(t)
	begin := func(who string) error {
		_, err := fresh(s).UserChannelCreate(d.Player(t, who).ID())
		return err
	}
	for _, who := range []string{"maple", "juniper_fox", "maple"} { // the third is there already
		if err := begin(who); err != nil {
			t.Fatalf("%s: %v", who, err)
		}
	}
	if err := begin("rowan.ashdown"); code(err) != 40003 {
		t.Errorf("the third conversation: %v", err)
	}
	d.Advance(10 * time.Minute)
	if err := begin("rowan.ashdown"); err != nil {
		t.Errorf("ten minutes later: %v", err)
	}
}

func TestABucketIsOfARouteAndItsMainResource(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s, tavern, board := d.Session(t), d.Channel("tavern").ID(), d.Channel("request-board").ID()
	s.ShouldRetryOnRateLimit = false
	var ids []string
	for range 2 {
		m, err := s.ChannelMessageSend(tavern, "x")
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.ID)
	}
	d.SetLimit("* /channels/{channel_id}/messages/{message_id}", 1, time.Minute)
	edit := func(id string) error {
		_, err := fresh(s).ChannelMessageEdit(tavern, id, "y")
		return err
	}
	if err := edit(ids[0]); err != nil {
		t.Fatal(err)
	}
	if waits(edit(ids[1])) == 0 {
		t.Error("another message of the channel has a bucket of its own")
	}
	if _, err := fresh(s).ChannelMessage(tavern, ids[0]); err != nil {
		t.Errorf("another method: %v", err)
	}
	m, err := fresh(s).ChannelMessageSend(board, "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fresh(s).ChannelMessageEdit(board, m.ID, "y"); err != nil {
		t.Errorf("another channel: %v", err)
	}
}

func TestNamesAreUniqueInEveryLanguage(t *testing.T) {
	t.Parallel()
	german := func(name string) *map[discordgo.Locale]string {
		return &map[discordgo.Locale]string{discordgo.German: name}
	}
	option := func(name, local string) *discordgo.ApplicationCommandOption {
		return &discordgo.ApplicationCommandOption{
			Type: discordgo.ApplicationCommandOptionString, Name: name, Description: "x", NameLocalizations: *german(local),
		}
	}
	for name, tt := range map[string]struct {
		commands []*discordgo.ApplicationCommand
		code     int
	}{
		"two commands": {[]*discordgo.ApplicationCommand{
			{Name: "offers", Description: "x", NameLocalizations: german("angebote")}, {Name: "sales", Description: "x", NameLocalizations: german("angebote")},
		}, 50035},
		"a command like the default of another": {[]*discordgo.ApplicationCommand{
			{Name: "offers", Description: "x"}, {Name: "sales", Description: "x", NameLocalizations: german("offers")},
		}, 50035},
		"two options": {[]*discordgo.ApplicationCommand{
			{Name: "offers", Description: "x", Options: []*discordgo.ApplicationCommandOption{option("price", "preis"), option("cost", "preis")}},
		}, 50035},
		"other names": {[]*discordgo.ApplicationCommand{
			{Name: "offers", Description: "x", NameLocalizations: german("angebote"), Options: []*discordgo.ApplicationCommandOption{option("price", "preis"), option("cost", "kosten")}},
			{Name: "sales", Description: "x", NameLocalizations: german("verkauf")},
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := tolerant(t)
			_, err := d.Session(t).ApplicationCommandBulkOverwrite(d.ClientID(), "", tt.commands)
			if code(err) != tt.code || tt.code == 0 && err != nil {
				t.Errorf("gave %v", err)
			}
		})
	}
}

func TestAnEmojiThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		"🔥": 0, "⛏️": 0, "👩‍🌾": 0, "👍🏽": 0, "🇩🇪": 0, "1️⃣": 0, "❤": 0,
		"ore": 50035, "A": 50035, "1": 50035, "★": 50035, "🔥🔥": 50035, "🔥x": 50035,
	} {
		d := tolerant(t)
		_, err := post(d.Session(t), d.Channel("tavern").ID(), obj{"content": "x", "components": []any{
			rowOf(obj{"type": 2, "style": 1, "custom_id": "a", "emoji": obj{"name": name}}),
		}})
		if code(err) != want || want == 0 && err != nil {
			t.Errorf("%q gave %v", name, err)
		}
	}
}

// The stand-in's own answers agree with Discord's description also where a field and something in it are wrong.
func TestAnswersAboutBadFormsAreDiscords(t *testing.T) {
	t.Parallel()
	d := tolerant(t)
	_, err := post(d.Session(t), d.Channel("tavern").ID(), obj{"content": long(2001), "embeds": []any{
		obj{"description": long(3500)}, obj{"description": long(3500), "footer": obj{"text": "x", "icon_url": "javascript:x"}},
	}})
	if code(err) != 50035 {
		t.Fatalf("gave %v", err)
	}
	for _, v := range d.Violations() {
		if v.Own {
			t.Errorf("%s", v)
		}
	}
}
