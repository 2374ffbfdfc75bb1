package web

import (
	"context"
	"time"
)

// blockedSellerView is the JSON shape of a seller whose offers a buyer does not want, for that buyer.
type blockedSellerView struct {
	Seller    person    `json:"seller"`
	CreatedAt time.Time `json:"createdAt"`
}

type blockedSellersView struct {
	Sellers []blockedSellerView `json:"sellers" doc:"Newest first"`
}

func (a *api) listBlockedSellers(ctx context.Context, _ *struct{}) (*answer[blockedSellersView], error) {
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	sellers, err := a.market.BlockedSellers(ctx, actor)
	if err != nil {
		return nil, err
	}
	list := blockedSellersView{Sellers: []blockedSellerView{}}
	for _, s := range sellers {
		list.Sellers = append(list.Sellers, blockedSellerView{Seller: person{ID: s.Seller, Username: s.Username}, CreatedAt: s.CreatedAt})
	}
	return &answer[blockedSellersView]{list}, nil
}

func (a *api) blockSeller(ctx context.Context, in *offerWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.BlockSeller(ctx, actor, in.ID)
}

func (a *api) unblockSeller(ctx context.Context, in *userWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.UnblockSeller(ctx, actor, in.ID)
}
