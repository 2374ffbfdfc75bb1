package match

import (
	"context"
	"slices"

	"tradepost/core"
	"tradepost/core/items"
)

// askAboutStock calls AskAboutPrices for entries of a seller's stock that are new or have another price.
func (m *stockActs) askAboutStock(
	ctx context.Context, actor core.Actor, index *items.ItemIndex, drafts []StockDraft,
) error {
	if !m.features.Prices || actor.PriceConfirmed || len(drafts) > core.MaxStockLines {
		return nil
	}
	present, err := m.store.Stock(ctx, actor.UserID)
	if err != nil { // saving says so
		return nil
	}
	var typed []items.PricedField
	for _, draft := range drafts {
		kept := slices.ContainsFunc(present, func(s Stock) bool {
			return s.Price == draft.Price && index.SameItem(s.ItemName, draft.ItemName)
		})
		if !kept {
			typed = append(typed, items.PricedField{Field: "price", ItemName: draft.ItemName,
				Price: draft.Price})
		}
	}
	return m.items.AskAboutPrices(ctx, actor, index, typed...)
}
