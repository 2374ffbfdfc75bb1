package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
)

// doneWith is a log that tells when the bot is done with an interaction, which is after its answer has arrived.
type doneWith struct {
	slog.Handler
	name string
	done chan<- struct{}
}

func (d doneWith) Handle(ctx context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if r.Message == "interaction" && a.Key == "name" && a.Value.String() == d.name {
			d.done <- struct{}{}
		}
		return true
	})
	return d.Handler.Handle(ctx, r)
}

func (d doneWith) WithAttrs(attrs []slog.Attr) slog.Handler {
	d.Handler = d.Handler.WithAttrs(attrs)
	return d
}

func TestACommandThatIsRepeatedAfterALostAnswerAsksBeforeItAcceptsMore(t *testing.T) {
	t.Parallel()
	w := open(t)
	done := make(chan struct{}, 1)
	if err := w.bot.stop(); err != nil {
		t.Fatal(err)
	}
	w.bot = w.start(func(o *bot.Options) {
		o.Log = slog.New(doneWith{Handler: o.Log.Handler(), name: "accept-more", done: done})
	})
	order := w.post("maple")
	offer := w.offer("rowan.ashdown", order, 400)
	maple := w.Player(t, "maple")
	accept := func() *discordtest.Reply {
		return maple.Slash("offer accept", discordtest.Str("offer", fmt.Sprint(offer.ID)), discordtest.Int("quantity", 5))
	}
	// No attempt of the bot to send the first answer succeeds.
	down := w.Fail("POST /interactions/**", discordtest.Always, discordtest.Outage(500))
	first := maple.StartSlash("offer accept", discordtest.Str("offer", fmt.Sprint(offer.ID)), discordtest.Int("quantity", 5))
	lost := w.Fail("POST /interactions/"+first.ID()+"/**", discordtest.Always, discordtest.Outage(500))
	down.Lift()
	w.until("the first accept", func() bool { return w.order("maple", order.ID).Sold == 5 })

	asked := accept()
	wants(t, "the question", asked.View, "You accepted 5 × Iron Ore from rowan.ashdown", "another 5")
	w.wantSold("the repeated command", order, 5)
	wants(t, "the press", asked.Button("Accept 5 more").Press().View, "Accepted 5 × Iron Ore")
	w.wantSold("the press", order, 10)
	<-done // it has noted that its answer was seen

	// Its answer was seen: who goes on is not asked.
	wants(t, "a third part", accept().View, "Accepted 5 × Iron Ore")
	w.wantSold("a third part", order, 15)
	if first.Answer() != 0 {
		t.Error("the first command was answered")
	}
	lost.Lift()
}

func TestAnAcceptOfLongAgoIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	offer := w.offer("rowan.ashdown", order, 400)
	if _, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("maple"), offer.ID, 5); err != nil {
		t.Fatal(err)
	}
	w.Advance(3 * time.Minute)
	accepted := w.Player(t, "maple").Slash("offer accept", discordtest.Str("offer", fmt.Sprint(offer.ID)), discordtest.Int("quantity", 5))
	wants(t, "the answer", accepted.View, "Accepted 5 × Iron Ore")
	w.wantSold("both", order, 10)
}

func TestACommandThatAskedAndIsDeliveredAgainAcceptsOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	offer := w.offer("rowan.ashdown", order, 400)
	if _, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("maple"), offer.ID, 2); err != nil {
		t.Fatal(err) // its answer was not seen, so the command asks
	}
	sent := w.Player(t, "maple").StartSlash("offer accept", discordtest.Str("offer", fmt.Sprint(offer.ID)), discordtest.Int("quantity", 3))
	wants(t, "the press", sent.Reply().Button("Accept 3 more").Press().View, "Accepted 3 × Iron Ore")
	w.wantSold("the press", order, 5)

	// Now the accept was seen, and a command would not ask.
	sent.DeliverAgain()
	w.until("the second answer to the command", func() bool { return len(sent.Refusals()) > 0 })
	w.wantSold("the command that was delivered again", order, 5)
}
