package items

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

// UnusualPrice checks a price that the actor types for the item that a text names. It returns nil where the
// price is not far from the known price, or none is known. The known price is, in this order: the usual
// price of the item, the median price of other buyers' open requests, and the same of items of its kind,
// else of its profession and level.
func (m *Service) UnusualPrice(
	ctx context.Context, actor core.Actor, itemName string, price core.Copper,
) (*UnusualPrice, error) {
	return m.unusualPrice(ctx, actor, m.IndexOrEmpty(ctx), PricedField{"maxPricePerUnit", itemName, price})
}

// PricedField is a price that was typed for an item.
type PricedField struct {
	Field    string
	ItemName string
	Price    core.Copper
}

// AskAboutPrices returns the Conflict that asks about prices which are far from the known price; nil once
// the actor has confirmed them. It is called before the transaction, which holds a connection, and returned
// inside it, so that a repeat of a write gets its first answer. A market that cannot read prices asks
// nothing.
func (m *Service) AskAboutPrices(
	ctx context.Context, actor core.Actor, index *Index, typed ...PricedField,
) error {
	if actor.PriceConfirmed || actor.Canary {
		return nil
	}
	var unusual []UnusualPrice
	for _, t := range typed {
		if u, err := m.unusualPrice(ctx, actor, index, t); err == nil && u != nil {
			unusual = append(unusual, *u)
		}
	}
	return unusualPrices(unusual, m.game)
}

func (m *Service) unusualPrice(
	ctx context.Context, actor core.Actor, index *Index, typed PricedField,
) (*UnusualPrice, error) {
	name := index.Meant(m.forms.Line(typed.ItemName))
	if !m.features.Prices || typed.Price <= 0 || m.forms.FoldItem(name) == "" {
		return nil, nil
	}
	known, err := m.knownPrice(ctx, actor.UserID, 1, index, name)
	if err != nil {
		return nil, fmt.Errorf("price of %q: %w", name, err)
	}
	return known.unusual(typed.Field, name, typed.Price, m.game), nil
}

// knownPrice returns the known price of an item, without the requests of the user. The prices that others
// ask count when at least so many buyers ask.
func (m *Service) knownPrice(
	ctx context.Context, user core.UserID, buyers int, index *Index, name string,
) (KnownPrice, error) {
	now := m.now()
	keys := index.KeysOf(index.Same(name))
	item, named := index.Named(name)
	var traded Prices
	var err error
	if named {
		traded, err = m.PricesOf(ctx, keys, now)
	} else {
		traded, err = m.tradedUnder(ctx, keys, now)
	}
	if err != nil {
		return KnownPrice{}, err
	}
	if usual := traded.Usual(); usual != nil {
		return KnownPrice{usual.Price.Median, PriceTraded}, nil
	}
	asked, err := m.store.Asked(ctx, keys, user, now)
	if err != nil || asked.Buyers >= buyers {
		return KnownPrice{asked.Median, PriceAsked}, err
	}
	if !named {
		return KnownPrice{}, nil
	}
	for _, names := range index.neighbours(item) {
		if len(names) == 0 {
			continue
		}
		keys := index.KeysOf(names)
		if traded, err = m.tradedUnder(ctx, keys, now); err != nil {
			return KnownPrice{}, err
		}
		if usual := traded.Usual(); usual != nil {
			return KnownPrice{usual.Price.Median, PriceSimilar}, nil
		}
		if asked, err = m.store.Asked(ctx, keys, user, now); err != nil || asked.Buyers >= neighboursAsked {
			return KnownPrice{asked.Median, PriceSimilar}, err
		}
	}
	return KnownPrice{}, nil
}

// tradedUnder returns the prices of trades under names that are no single item of the catalogue.
func (m *Service) tradedUnder(ctx context.Context, keys []string, now time.Time) (Prices, error) {
	young, err := m.store.Young(ctx)
	if err != nil {
		return Prices{}, fmt.Errorf("whether the market is young: %w", err)
	}
	latest, err := m.store.Fills(ctx, keys, now.Add(-fillsFor))
	if err != nil {
		return Prices{}, fmt.Errorf("fills: %w", err)
	}
	prices := Prices{Young: young}
	fills, onTheirWay := settledFills(fillsByKeys(latest, [][]string{keys})[0], now)
	prices.OnTheirWay = onTheirWay
	prices.Windows = priceWindows(fills, prices.Young, now)
	return prices, nil
}
