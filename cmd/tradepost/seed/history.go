package seed

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// staple is an item that has been traded for weeks, and its usual price.
type staple struct {
	item     string
	category game.Category
	price    string
	trades   int // in historyDays; a price of a week takes five
}

// staples are also among the requests, so that what they were traded for stands beside what is asked.
var staples = []staple{
	{"Rigic Adathril Ore", "Miner", "24s", 66},
	{"Caric Adathril Ingot", "Blacksmith", "84s", 60},
	{"Coarse Poplar Log", "Woodcutter", "13s 500c", 18},
	{"35% Potion Healing", "Alchemist", "55s", 18},
	{"Moderate Bison Leather", "Leatherworker", "27s", 18},
	{"Waltzing Cod", "Fisher", "43s", 16},
}

// regulars made those trades. They come from elsewhere, and no user can act as one of them.
var regulars = []string{
	"hazel.mill", "birchbark", "old_pim", "sablerook", "wrenna", "corvin.77", "tilda_oak", "mossy.stone",
	"brightwater", "kestrel.down", "fennel_", "odds.and.ends",
}

// shares of the usual price that requests paid, in percent. Those that paid least were not filled.
var shares = []int{100, 92, 108, 97, 84, 115, 103, 95, 122, 89, 106, 99, 80, 111, 101, 94}

const (
	historyDays = 80
	hopeless    = 88 // a share from below which a request is closed after a while
)

// happening is something that happened in the market at a time.
type happening struct {
	at time.Time
	do func(ctx context.Context) error
}

// history is the trades of the past weeks.
func (s *seeder) history(ctx context.Context, now time.Time) ([]happening, error) {
	s.at = now.AddDate(0, 0, -historyDays-8)
	moderator := s.actors[3]
	moderator.Moderator = true
	var traders []core.Actor
	for i, name := range regulars {
		user, err := s.market.People.SignIn(ctx,
			people.Profile{DiscordID: fmt.Sprint(900000000000000000 + i), Username: name, DisplayName: name})
		if err != nil {
			return nil, fmt.Errorf("seed trader %s: %w", name, err)
		}
		trader := user.Actor()
		if _, err := s.market.Notify.SetSettings(ctx, trader,
			notify.Settings{Muted: notify.AllMutableKinds}); err != nil {
			return nil, fmt.Errorf("seed trader %s: %w", name, err)
		}
		if err := s.market.Trust.Vouch(ctx, moderator, trader.UserID); err != nil {
			return nil, fmt.Errorf("vouch for trader %s: %w", name, err)
		}
		traders = append(traders, trader)
	}
	var happened []happening
	for n, staple := range staples {
		if !slices.Contains(s.categories, staple.category) {
			continue // another game is played
		}
		usual, err := game.Standard().ParseCopper("price", staple.price)
		if err != nil {
			return nil, err
		}
		for i := range staple.trades {
			share := shares[(3*n+i)%len(shares)] + 10*i/staple.trades // prices rise a little
			trade := past{
				staple: staple, quantity: 100 * (1 + (i+n)%4),
				price: usual * core.Copper(share) / 100 / 10 * 10, filled: share >= hopeless,
				buyer:  traders[(i+2*n)%len(traders)],
				seller: traders[(i+2*n+1+(i*7+n)%(len(traders)-1))%len(traders)],
				hours:  4 + (120-share)*(120-share)/16,
			}
			left, all := time.Duration(staple.trades-i), time.Duration(staple.trades)
			ago := left * historyDays * 24 * time.Hour / all
			at := now.Add(-ago - time.Duration(73+7*n)*time.Hour) // it takes three days at most
			happened = append(happened, happening{at,
				func(ctx context.Context) error { return s.trade(ctx, trade) }})
		}
	}
	return happened, nil
}

// past is a request of the past weeks and its result.
type past struct {
	staple
	quantity      int
	price         core.Copper
	buyer, seller core.Actor
	hours         int // until it was filled
	filled        bool
}

func (s *seeder) trade(ctx context.Context, p past) error {
	order, err := s.market.Trade.PostOrder(ctx, p.buyer, trade.OrderDraft{
		ItemName: p.item, Quantity: p.quantity, MaxPrice: p.price, BuyerContact: p.buyer.Username,
		Category: p.category, Importance: game.Medium,
	})
	if err != nil {
		return err
	}
	if !p.filled {
		s.at = s.at.Add(72 * time.Hour)
		_, err := s.market.Trade.CloseOrder(ctx, p.buyer, order.ID)
		return err
	}
	s.at = s.at.Add(time.Duration(p.hours) * time.Hour)
	sent, err := s.market.Trade.SendOffer(ctx, p.seller, order.ID, trade.OfferDraft{
		SellerName: p.seller.DisplayName, SellerContact: p.seller.Username,
		Message: sayings[p.hours%len(sayings)], Quantity: p.quantity,
	})
	if err != nil {
		return err
	}
	done, err := s.market.Trade.AcceptOffer(ctx, p.buyer, sent.Offer.ID, p.quantity)
	if err != nil || !s.market.Features.Handover {
		return err
	}
	for _, side := range []core.Actor{p.buyer, p.seller} {
		_, err := s.market.Trade.SayHandovers(ctx, side, []core.SaleID{done.Sale.ID}, trade.SaidMet)
		if err != nil {
			return err
		}
	}
	return nil
}
