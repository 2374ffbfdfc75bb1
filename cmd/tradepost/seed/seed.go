// Package seed fills an empty market with a believable one, for the demo. Everything in it was posted,
// offered, accepted and sold through market.Market, by a clock set back to when it happened.
package seed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/hours"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// Player is one of the market's four players.
type Player struct {
	people.Profile
	InGameName string
}

// Market seeds the market kept in store, as of now, unless it has orders already. It returns the
// number of requests it posted.
func Market(
	ctx context.Context, store market.Store, opts market.Options, players [4]Player, now time.Time,
) (int, error) {
	if len(opts.Game.Coins) == 0 {
		opts.Game = game.Standard()
	}
	s := seeder{at: now, players: players, categories: opts.Game.Categories()}
	opts.Now = func() time.Time { return s.at }
	s.market = market.New(store, opts)

	page, err := s.market.Match.BrowseOrders(ctx, match.OrderQuery{Limit: 1})
	if err != nil || page.Total > 0 {
		return 0, err
	}
	for i, p := range players {
		s.at = now.AddDate(0, -14, 0)
		user, err := s.market.People.SignIn(ctx, p.Profile)
		if err != nil {
			return 0, fmt.Errorf("seed player %s: %w", p.Username, err)
		}
		s.actors[i] = user.Actor()
		if !opts.Features.Hours {
			continue
		}
		if err := s.market.People.SavePlayHours(ctx, s.actors[i], evenings()); err != nil {
			return 0, fmt.Errorf("seed when player %s plays: %w", p.Username, err)
		}
	}
	// In the order in which it happened, so that ids grow with time.
	lines := slices.Clone(requests)
	slices.SortStableFunc(lines, func(a, b request) int { return a.age(now).Compare(b.age(now)) })
	happened, err := s.history(ctx, now)
	if err != nil {
		return 0, err
	}
	for n, line := range lines {
		happened = append(happened, happening{line.age(now),
			func(ctx context.Context) error { return s.tell(ctx, n, line, now) }})
	}
	slices.SortStableFunc(happened, func(a, b happening) int { return a.at.Compare(b.at) })
	for _, h := range happened {
		s.at = h.at
		if err := h.do(ctx); err != nil {
			return 0, fmt.Errorf("seed the market of %s: %w", h.at, err)
		}
	}
	if opts.Features.Listings {
		if err := s.listings(ctx, now); err != nil {
			return 0, fmt.Errorf("seed listings: %w", err)
		}
	}
	if opts.Features.Crossing {
		// What is sold goes from its seller's stock, and has a time to meet.
		opts.Features.Stock, opts.Features.Handover, opts.Features.Records = true, true, true
		if err := s.crossings(ctx, market.New(store, opts), now); err != nil {
			return 0, fmt.Errorf("seed requests that stand: %w", err)
		}
	}
	for _, actor := range s.actors {
		if err := s.catchUp(ctx, actor, now.Add(-unreadFor)); err != nil {
			return 0, fmt.Errorf("seed notices: %w", err)
		}
	}
	return len(lines), nil
}

// evenings are the hours in which every player plays, so that a time to meet is proposed on each new trade.
func evenings() []int {
	week := hours.Evenings.Of("", time.Time{}).With(hours.WeekendEvenings.Of("", time.Time{}))
	return week.List()
}

// unreadFor is the age below which the players' notices are unread when the demo opens.
const unreadFor = 12 * time.Hour

// catchUp marks an actor's notices from before the time as delivered when they happened, and read.
func (s *seeder) catchUp(ctx context.Context, actor core.Actor, before time.Time) error {
	var past []notify.Notice
	for last := core.NoticeID(0); ; {
		s.at = before
		page, err := s.market.Notify.Notices(ctx, actor, last, 50)
		if err != nil {
			return err
		}
		past = append(past, page.Notices...)
		if last = page.Next; last == 0 {
			break
		}
	}
	past = slices.DeleteFunc(past, func(n notify.Notice) bool { return n.CreatedAt.After(before) })
	// As they are delivered: alerts last, and the oldest first.
	slices.SortFunc(past, func(a, b notify.Notice) int {
		alerts := func(n notify.Notice) int {
			if n.Kind == notify.NoticeRequestWatched {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(alerts(a), alerts(b)), cmp.Compare(a.ID, b.ID))
	})
	var read core.NoticeID
	for _, n := range past {
		read = max(read, n.ID)
		s.at = n.CreatedAt.Add(time.Second)
		err := s.market.Channels.DeliverNotice(ctx, longAgo{}, n.ID)
		for later := (*channels.RetryLater)(nil); errors.As(err, &later) && later.Cause == nil; {
			err = s.market.Channels.DeliverNotice(ctx, longAgo{}, n.ID) // others of its reader came first
		}
		if err != nil {
			return err
		}
	}
	s.at = before
	return s.market.Notify.ReadNotices(ctx, actor, read)
}

// longAgo is the DM sender of messages from long ago: it sends none.
type longAgo struct{}

func (longAgo) SendDM(_ context.Context, d channels.Delivery) (notify.SentDM, error) {
	return notify.SentDM{MessageID: d.Nonce()}, nil
}

// age returns when the request was posted.
func (r request) age(now time.Time) time.Time {
	posted := now.Add(-time.Duration(r.hours) * time.Hour)
	switch r.stage {
	case expiring:
		return posted.Add(5*24*time.Hour - trade.OrderLifetime)
	case expired:
		return posted.Add(-trade.OrderLifetime)
	default:
		return posted
	}
}

type seeder struct {
	market     *market.Market
	categories []game.Category
	at         time.Time
	players    [4]Player
	actors     [4]core.Actor
	spoken     int // how many sayings were used
}

// tell plays one request from its posting to its stage.
func (s *seeder) tell(ctx context.Context, n int, line request, now time.Time) error {
	s.at = line.age(now)
	buyer, player := s.actors[line.owner], s.players[line.owner]
	price, err := game.Standard().ParseCopper("price", line.price)
	if err != nil {
		return err
	}
	draft := trade.OrderDraft{
		ItemName: line.item, Quantity: line.quantity, MaxPrice: price, Description: line.text,
		BuyerContact: player.Username,
		Category:     line.category, Importance: line.importance,
	}
	if !slices.Contains(s.categories, draft.Category) { // the market plays another game than these requests
		draft.Category = s.categories[n%len(s.categories)]
	}
	if n%3 != 0 { // two of three requests have an in-game name
		draft.InGameName = player.InGameName
	}
	if line.level > 0 {
		draft.LevelRequirement = &line.level
	}
	order, err := s.market.Trade.PostOrder(ctx, buyer, draft)
	if err != nil {
		return err
	}
	// The next events happen between the posting and now, in equal steps.
	step := now.Sub(s.at) / 8
	if line.stage == expired || line.stage == expiring {
		step = 24 * time.Hour
	}
	next := func() { s.at = s.at.Add(step) }

	if share := line.sold(); share > 0 {
		if err := s.sell(ctx, buyer, order, line.quantity*share/100, n, next); err != nil {
			return err
		}
	}
	switch line.stage {
	case offered, moving, nearly:
		return s.offer(ctx, order, n, 1+n%3, next)
	case closed:
		next()
		_, err = s.market.Trade.CloseOrder(ctx, buyer, order.ID)
	}
	return err
}

// sold returns the sold share of the request, in percent.
func (r request) sold() int {
	switch r.stage {
	case moving:
		return 20 + (r.hours*7)%45
	case nearly:
		return 75 + r.hours%20
	case filled:
		return 100
	case closed:
		return 8
	default:
		return 0
	}
}

// sell sells quantity of an order: half through an offer that is accepted, the rest logged in up to two
// sales.
func (s *seeder) sell(
	ctx context.Context, buyer core.Actor, order trade.Order, quantity, n int, next func(),
) error {
	first := max(1, quantity/2)
	next()
	seller, draft := s.offerOf(order, n, first)
	sent, err := s.market.Trade.SendOffer(ctx, seller, order.ID, draft)
	if err != nil {
		return err
	}
	next()
	if _, err := s.market.Trade.AcceptOffer(ctx, buyer, sent.Offer.ID, first); err != nil {
		return err
	}
	notes := []string{"Bought at the harbour market", "", "From a guild mate", "Picked up on the way home"}
	for i, part := range []int{(quantity - first) / 2, quantity - first - (quantity-first)/2} {
		if part == 0 {
			continue
		}
		next()
		if _, err := s.market.Trade.LogSale(ctx, buyer, order.ID,
			trade.SaleDraft{Quantity: part, Notes: notes[(n+i)%len(notes)]}); err != nil {
			return err
		}
	}
	return nil
}

// offer leaves count offers on an order, from different sellers.
func (s *seeder) offer(ctx context.Context, order trade.Order, n, count int, next func()) error {
	for i := range count {
		next()
		seller, draft := s.offerOf(order, n+i+1, max(1, order.Quantity/(4+2*i)))
		if _, err := s.market.Trade.SendOffer(ctx, seller, order.ID, draft); err != nil {
			return err
		}
	}
	return nil
}

// offerOf picks a seller who is not the buyer, a player or a visitor, and their message.
func (s *seeder) offerOf(order trade.Order, n, quantity int) (core.Actor, trade.OfferDraft) {
	s.spoken++
	visitor := visitors[n%len(visitors)]
	var seller core.Actor
	draft := trade.OfferDraft{
		SellerName: visitor.name, SellerContact: visitor.contact, Message: sayings[s.spoken%len(sayings)],
		Quantity: quantity,
	}
	if n%2 != 0 {
		if seller = s.actors[n%4]; seller.UserID == order.Owner {
			seller = s.actors[(n+1)%4]
		}
		draft.SellerName = seller.DisplayName
	}
	return seller, draft
}
