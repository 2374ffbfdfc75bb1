package people

import (
	"context"
	"time"

	"tradepost/web/kernel"
)

// blockedSellerView is the JSON shape of a seller that a buyer has blocked, for that buyer.
type blockedSellerView struct {
	Seller    kernel.Person `json:"seller"`
	CreatedAt time.Time     `json:"createdAt"`
}

type blockedSellersView struct {
	Sellers []blockedSellerView `json:"sellers" doc:"Newest first"`
}

func (a operations) listBlockedSellers(
	ctx context.Context, in *kernel.Caller,
) (*kernel.Answer[blockedSellersView], error) {
	sellers, err := a.Market.Trust.BlockedSellers(ctx, in.By)
	if err != nil {
		return nil, err
	}
	list := blockedSellersView{Sellers: []blockedSellerView{}}
	for _, s := range sellers {
		list.Sellers = append(list.Sellers,
			blockedSellerView{Seller: kernel.Person{ID: s.Seller, Username: s.Username},
				CreatedAt: s.CreatedAt})
	}
	return &kernel.Answer[blockedSellersView]{Body: list}, nil
}

type blockSellerInput struct {
	kernel.ByOffer
	kernel.Keyed
}

func (a operations) blockSeller(ctx context.Context, in *blockSellerInput) error {
	return a.Market.Trade.BlockSeller(ctx, in.By, in.ID)
}

type unblockSellerInput struct {
	kernel.ByUser
	kernel.Keyed
}

func (a operations) unblockSeller(ctx context.Context, in *unblockSellerInput) error {
	return a.Market.Trust.UnblockSeller(ctx, in.By, in.ID)
}
