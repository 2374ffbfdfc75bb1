package offers

import (
	"context"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// acceptedJustNow limits the time in which a second accept by a command counts as a possible repeat of the
// first.
const acceptedJustNow = 2 * time.Minute

// shownAccepts remembers the accepts that the buyer has seen answered. It does not know accepts of another
// replica, or from before a restart: then the bot asks once too often, and buys nothing twice.
type shownAccepts struct {
	mu sync.Mutex
	at map[core.SaleID]time.Time
}

func (s *shownAccepts) add(sale core.SaleID, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, at := range s.at {
		if now.Sub(at) > acceptedJustNow {
			delete(s.at, id)
		}
	}
	if s.at == nil {
		s.at = map[core.SaleID]time.Time{}
	}
	s.at[sale] = now
}

func (s *shownAccepts) has(sale core.SaleID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, shown := s.at[sale]
	return shown
}

// askToAcceptMore returns a question when the actor has accepted part of the offer just now and has not
// seen the answer: a command that is sent again would buy a second part. It returns nil when there is
// nothing to ask.
func (b Offers) askToAcceptMore(
	ctx context.Context, in kernel.Input, id core.OfferID, qty int, by time.Time,
) (*kernel.Reply, error) {
	receipts, err := b.Market.Trade.Receipts(ctx, in.Actor,
		trade.Query{Offers: []core.OfferID{id}, Limit: 1})
	if err != nil || len(receipts) == 0 {
		return nil, err
	}
	last := receipts[0]
	if !last.BoughtBy(in.Actor.UserID) || b.Now().Sub(last.AcceptedAt) > acceptedJustNow ||
		b.shown.has(last.Sale) {
		return nil, nil
	}
	ask := kernel.Private(in.Tr.Text(msg.AcceptAgain, "accepted", last.Quantity, "item", last.ItemName,
		"seller", last.Seller.Typed.Name,
		"time", kernel.Timestamp(last.AcceptedAt), "quantity", qty))
	ask.Rows = []discordgo.MessageComponent{kernel.Row(kernel.Button(discord.NewCustomID("accept-more", id,
		qty, unixOrZero(by), in.Actor.Key),
		discordgo.SuccessButton, in.Tr.Plain(msg.AcceptMore, "quantity", qty)))}
	return &ask, nil
}

// acceptMore accepts what askToAcceptMore has asked about, under the key of the command: a second delivery
// of the command may come when the first accept has been shown, and would not ask.
func (b Offers) acceptMore(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	var by time.Time
	if at := in.ID.Number(2); at != 0 {
		by = time.Unix(at, 0)
	}
	if key := in.ID.Word(3); key != "" { // an earlier version of the program has left it out
		in.Actor.Key, in.Actor.OtherKey = key, in.Actor.Key
	}
	return b.acceptBy(ctx, in, core.OfferID(in.ID.Number(0)), int(in.ID.Number(1)), by, "")
}

func unixOrZero(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.Unix()
}
