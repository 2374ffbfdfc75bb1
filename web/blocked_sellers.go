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

func (a peopleOperations) listBlockedSellers(ctx context.Context, _ *struct{}) (*answer[blockedSellersView], error) {
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
	return &answer[blockedSellersView]{Body: list}, nil
}

type blockSellerInput struct {
	ByOffer
	Keyed
}

func (a peopleOperations) blockSeller(ctx context.Context, in *blockSellerInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.BlockSeller(ctx, actor, in.ID)
}

type unblockSellerInput struct {
	ByUser
	Keyed
}

func (a peopleOperations) unblockSeller(ctx context.Context, in *unblockSellerInput) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.UnblockSeller(ctx, actor, in.ID)
}
