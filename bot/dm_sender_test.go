package bot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

// post is a dmSender in a stand-in Discord, without a market: its notices are given.
type post struct {
	*discordtest.Discord
	channels.DMSender
	t    *testing.T
	log  bytes.Buffer
	said []string // results recorded in metrics
}

const (
	postMessage = "POST /channels/{channel_id}/messages"
	openChannel = "POST /users/@me/channels"
)

func newPost(t *testing.T, change ...func(*bot.Options)) *post {
	t.Helper()
	// Channels made at one moment have limits of their own (shardOf); others may share one by chance.
	moment := time.Now()
	p := &post{Discord: discordtest.New(t, discordtest.Options{Now: func() time.Time { return moment }}), t: t}
	opts := bot.Options{
		Token: p.Token(), Transport: p.Transport(), Log: slog.New(slog.NewTextHandler(&p.log, nil)),
		Hooks: kernel.Hooks{Message: func(kind, outcome string) { p.said = append(p.said, kind+" "+outcome) }},
	}
	for _, c := range change {
		c(&opts)
	}
	p.DMSender = bot.New(on(&stub{}), opts).DMSender()
	return p
}

// to is a delivery to a user without an open DM channel.
func (p *post) to(who string, id core.DeliveryID) channels.Delivery {
	return channels.Delivery{
		ID: id, Kind: notify.NoticeTest, To: notify.Mailbox{User: 7, DiscordID: p.Player(p.t, who).ID()},
		Notices: []notify.Notice{{ID: 1, Kind: notify.NoticeTest, State: notify.NoticePending}}, StartedAt: p.Now(),
	}
}

// known is a delivery to a user with an open DM channel.
func (p *post) known(who string, id core.DeliveryID) channels.Delivery {
	p.t.Helper()
	d := p.to(who, 1000+id)
	d.To.ChannelID = p.delivered(d).ChannelID
	d.ID = id
	p.ForgetRequests()
	return d
}

func (p *post) delivered(d channels.Delivery) notify.SentDM {
	p.t.Helper()
	receipt, err := p.SendDM(p.t.Context(), d)
	if err != nil || receipt.ChannelID == "" || receipt.MessageID == "" {
		p.t.Fatalf("delivered to %+v, %v", receipt, err)
	}
	return receipt
}

// again is what the market makes of a delivery that has arrived: the next one is an edit.
func again(d channels.Delivery, r notify.SentDM) channels.Delivery {
	d.ChannelID, d.MessageID, d.To.ChannelID = r.ChannelID, r.MessageID, r.ChannelID
	return d
}

// messages are those that a user can see.
func (p *post) messages(who string) (ids []string) {
	for _, v := range p.Player(p.t, who).DMs() {
		ids = append(ids, v.ID)
	}
	return ids
}

func (p *post) wantMessages(who string, want int) {
	p.t.Helper()
	if got := p.messages(who); len(got) != want {
		p.t.Errorf("%s has %d messages, want %d", who, len(got), want)
	}
}

func (p *post) asked(patterns ...string) int { return len(p.Requests(patterns...)) }

func TestAMessageCarriesItsNonceAndItsChannelIsOpenedOnce(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	first := p.delivered(p.to("maple", 7))
	sent := p.Requests(postMessage)[0]
	if sent.JSON("nonce") != "tradepost-7" || sent.JSON("enforce_nonce") != true {
		t.Errorf("sent %s", sent.Body)
	}
	d := p.to("maple", 8)
	d.To.ChannelID = first.ChannelID
	p.delivered(d)
	if n := p.asked(openChannel); n != 1 {
		t.Errorf("the channel was opened %d times", n)
	}
	p.delivered(again(d, first))
	p.wantMessages("maple", 2)
}

func TestARepeatAfterALostAnswerMakesNoSecondMessage(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func() *discordtest.Fault{
		"lost":             discordtest.Losing,
		"cut off half way": discordtest.Cutting,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPost(t)
			d := p.known("maple", 7)
			p.Fail(postMessage, 1, fault())
			p.wantUnknown(d)
			p.delivered(d)
			p.wantMessages("maple", 2) // with the one that made the channel known
		})
	}
}

// wantUnknown checks that the dmSender does not know whether a message was sent.
func (p *post) wantUnknown(d channels.Delivery) {
	p.t.Helper()
	_, err := p.SendDM(p.t.Context(), d)
	var later *channels.RetryLater
	var undeliverable *notify.Undeliverable
	if err == nil || errors.As(err, &later) || errors.As(err, &undeliverable) {
		p.t.Errorf("got %v, want an outcome that is not known", err)
	}
}

func TestAMessageIsFoundAlsoWhereTheClockWasAheadWhenItBegan(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	d := p.known("maple", 7)
	p.Fail(postMessage, 1, discordtest.Losing())
	p.wantUnknown(d)
	p.Advance(time.Hour)
	d.StartedAt, d.Uncertain = p.Now(), true
	p.ForgetRequests()
	p.delivered(d)
	if p.asked(postMessage) != 0 {
		t.Error("it was sent again")
	}
}

func TestWhenTheNonceIsForgottenTheMessageIsLookedFor(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	d := p.known("maple", 7)
	p.Fail(postMessage, 1, discordtest.Losing())
	p.wantUnknown(d)
	p.Advance(time.Hour)
	for id := range core.DeliveryID(150) { // many others have come since
		other := p.to("maple", 100+id)
		other.To.ChannelID = d.To.ChannelID
		p.delivered(other)
	}
	p.ForgetRequests()
	d.Uncertain = true
	found := p.delivered(d)
	if p.asked(postMessage) != 0 {
		t.Error("it was sent again")
	}
	p.delivered(again(d, found)) // it is the right one: its own button is on it
	if got := p.Requests("PATCH /channels/**")[0].Path; !strings.HasSuffix(got, found.MessageID) {
		t.Errorf("edited %s", got)
	}

	p.ForgetRequests()
	never := d
	never.ID, never.StartedAt = 8, p.Now()
	p.delivered(never)
	if p.asked(postMessage) != 1 {
		t.Error("one that was never sent was not sent")
	}
}

func TestADeletedMessageIsSentAgainOnce(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	d := p.known("maple", 7)
	first := p.delivered(d)
	p.DeleteMessage(first.MessageID)
	p.Fail(postMessage, 1, discordtest.Losing())
	p.wantUnknown(again(d, first))
	second := p.delivered(again(d, first))
	if second.MessageID == first.MessageID {
		t.Error("it was edited")
	}
	p.Advance(time.Hour)
	if third := p.delivered(again(d, first)); third.MessageID != second.MessageID {
		t.Error("it was sent a third time")
	}
}

func TestDiscordsErrorsDecideWhetherAMessageIsRetried(t *testing.T) {
	t.Parallel()
	const minute = time.Minute
	for name, tt := range map[string]struct {
		route       string
		fault       *discordtest.Fault
		later       time.Duration // at least; zero: not later
		refused     string        // part of the reason; empty: not refused
		closed      bool
		readersToo  bool // others have to wait as well
		unknown     bool
		strangersTo bool // others who were never written to have to wait
	}{
		"closed direct messages":        {route: postMessage, fault: discordtest.RefusingWith(50007), refused: "Allow direct messages", closed: true},
		"no server in common":           {route: postMessage, fault: discordtest.RefusingWith(50278), refused: "share no server", closed: true},
		"an account that is gone":       {route: openChannel, fault: discordtest.Answering(404, `{"code": 10013, "message": "Unknown User"}`), refused: "does not know", closed: true},
		"an invalid recipient":          {route: openChannel, fault: discordtest.Answering(400, `{"code": 50033, "message": "Invalid Recipient(s)"}`), refused: "does not know", closed: true},
		"opened too fast":               {route: openChannel, fault: discordtest.RefusingWith(40003), later: 10 * minute, strangersTo: true},
		"a message it does not like":    {route: postMessage, fault: discordtest.Answering(400, `{"code": 50035, "message": "Invalid Form Body"}`), refused: "Invalid Form Body"},
		"a limit of the channel":        {route: postMessage, fault: discordtest.RateLimiting(30*time.Second, "user"), later: 30 * time.Second},
		"a shared limit":                {route: postMessage, fault: discordtest.RateLimiting(30*time.Second, "shared"), later: 30 * time.Second},
		"a limit of opening":            {route: openChannel, fault: discordtest.RateLimiting(30*time.Second, "user"), later: 30 * time.Second, strangersTo: true},
		"a limit of everything":         {route: postMessage, fault: discordtest.RateLimiting(30*time.Second, "global"), later: 30 * time.Second, readersToo: true},
		"a ban":                         {route: postMessage, fault: discordtest.Banning(time.Second), later: 15 * minute, readersToo: true},
		"a wall instead of Discord":     {route: postMessage, fault: discordtest.Answering(403, "<html>"), later: 15 * minute, readersToo: true},
		"a token that is not good":      {route: postMessage, fault: discordtest.Unauthorized(), later: 5 * minute, readersToo: true},
		"an outage":                     {route: postMessage, fault: discordtest.Outage(500), unknown: true},
		"a bad gateway, with a page":    {route: postMessage, fault: discordtest.Answering(502, "<html>"), unknown: true},
		"a request it did not wait for": {route: postMessage, fault: discordtest.Answering(408, "<html>"), unknown: true},
		"success without an id":         {route: postMessage, fault: discordtest.Answering(200, "{}"), unknown: true},
		"success that is no JSON":       {route: postMessage, fault: discordtest.Answering(200, "ok"), unknown: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPost(t)
			reader := p.known("rowan.ashdown", 1)
			d := p.to("maple", 2)
			if tt.route == postMessage {
				d = p.known("maple", 2)
			}
			p.Fail(tt.route, 1, tt.fault)
			_, err := p.SendDM(t.Context(), d)
			var later *channels.RetryLater
			var undeliverable *notify.Undeliverable
			switch {
			case errors.As(err, &later):
				if tt.later == 0 || later.After < tt.later-time.Second || later.After > tt.later+time.Minute || later.Cause != nil {
					t.Errorf("to wait: %v, want %s", err, tt.later)
				}
			case errors.As(err, &undeliverable):
				if tt.refused == "" || !strings.Contains(undeliverable.Reason, tt.refused) || undeliverable.Closed != tt.closed {
					t.Errorf("refused: %+v", undeliverable)
				}
			case err == nil || !tt.unknown:
				t.Errorf("got %v", err)
			}
			p.ForgetRequests()
			p.mustWait("another reader", reader, tt.readersToo)
			p.mustWait("a stranger", p.to("oldtamsin", 3), tt.readersToo || tt.strangersTo)
			if tt.later > 0 {
				p.ForgetRequests()
				p.mustWait("the same reader", d, true)
			}
			if strings.Contains(p.log.String(), d.To.DiscordID) || strings.Contains(p.log.String(), "maple") {
				t.Errorf("the log tells who it is:\n%s", p.log.String())
			}
		})
	}
}

// Discord publishes no number: the pause is a setting, and the bot works with a tenth and with ten times of what is guessed.
func TestConversationsAreOpenedAgainAfterThePause(t *testing.T) {
	t.Parallel()
	for _, pause := range []time.Duration{time.Minute, 10 * time.Minute, 100 * time.Minute} {
		p := newPost(t, func(o *bot.Options) { o.OpenDMPause = pause })
		reader := p.known("rowan.ashdown", 1)
		p.Fail(openChannel, 1, discordtest.RefusingWith(40003))
		var later *channels.RetryLater
		if _, err := p.SendDM(t.Context(), p.to("maple", 2)); !errors.As(err, &later) || later.After != pause {
			t.Errorf("with a pause of %s it waits %v", pause, err)
		}
		if _, err := p.SendDM(t.Context(), p.to("oldtamsin", 3)); !errors.As(err, &later) || later.After < pause-time.Minute/2 || later.After > pause {
			t.Errorf("with a pause of %s a stranger waits %v", pause, err)
		}
		p.mustWait("one who was written to", reader, false)
	}
}

// mustWait checks whether a message waits, without anything being asked of Discord, or arrives.
func (p *post) mustWait(who string, d channels.Delivery, wait bool) {
	p.t.Helper()
	before := p.asked()
	_, err := p.SendDM(p.t.Context(), d)
	var later *channels.RetryLater
	switch waits := errors.As(err, &later); {
	case waits != wait:
		p.t.Errorf("%s has to wait: %v (%v)", who, waits, err)
	case waits && p.asked() > before:
		p.t.Errorf("Discord was asked for %s", who)
	}
}

func TestALimitThatIsUsedUpIsNotRunInto(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	d := p.known("maple", 1)
	p.SetLimit(postMessage, 2, time.Minute)
	sent := 0
	for id := range core.DeliveryID(5) {
		d.ID = 10 + id
		if _, err := p.SendDM(t.Context(), d); err == nil {
			sent++
		}
	}
	for _, r := range p.Requests(postMessage) {
		if r.Status == http.StatusTooManyRequests {
			t.Error("the limit was run into, though Discord had said what is left")
		}
	}
	if sent == 0 || sent > 2 {
		t.Errorf("%d messages arrived", sent)
	}
}

func TestARefusedTokenStopsTheBotLoudlyAndItMayRunAgain(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	var log bytes.Buffer
	b := bot.New(on(&stub{}), bot.Options{
		Token: d.Token(), Transport: d.Transport(), Log: slog.New(slog.NewTextHandler(&log, nil)), Store: noStore{},
	})
	d.RevokeToken()
	if err := b.Run(t.Context()); !errors.Is(err, discord.ErrToken) {
		t.Fatalf("ended with %v", err)
	}
	if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "token") {
		t.Errorf("the log says %q", log.String())
	}
	d.RestoreToken()
	d.ForgetRequests()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := b.Run(ctx); err != nil {
		t.Errorf("run again: %v", err)
	}
	if n := len(d.Requests()); n != 0 {
		t.Errorf("asked %d times right after the token was refused", n)
	}
}

func TestMetricsCountTheResultOfEachMessage(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	d := p.to("maple", 1)
	first := p.delivered(d)
	p.delivered(again(d, first))
	p.Fail("PATCH /channels/**", 1, discordtest.Outage(503))
	p.wantUnknown(again(d, first))
	p.Player(t, "maple").CloseDMs()
	next := p.to("maple", 2)
	next.To.ChannelID = first.ChannelID
	_, _ = p.SendDM(t.Context(), next) // refused, which is what is counted
	if got, want := fmt.Sprint(p.said), "[test sent test edited test failed test refused]"; got != want {
		t.Errorf("heard %s, want %s", got, want)
	}
}

func TestANoticeOfAnUnknownKindSaysOnlyThatThereIsNews(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	d := p.to("maple", 7)
	d.Kind = "offer_haggled" // written by a newer program
	d.Notices[0].Kind, d.Notices[0].ItemName = d.Kind, "Iron Ore"
	p.delivered(d)
	digest := p.to("maple", 8)
	digest.Kind = notify.NoticeDigest
	digest.Notices = append(digest.Notices, d.Notices[0])
	p.delivered(digest)
	for _, message := range p.Player(t, "maple").DMs() {
		if text := message.Text(); !strings.Contains(text, "Something happened on Tradepost. Open it to read more.") {
			t.Errorf("the message says %q", text)
		}
	}
}
