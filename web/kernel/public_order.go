package kernel

import (
	"fmt"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/trade"
)

// PublicOrderView is the JSON shape of an open request for programs. It has nothing that its buyer wrote but
// the name of the item: a description may name a person as well as a contact does.
type PublicOrderView struct {
	ID               core.OrderID    `json:"id" example:"7"`
	Version          int             `json:"version" doc:"Increases with every change" example:"1"`
	URL              string          `json:"url" format:"uri" doc:"Its page, where people offer" example:"https://trade.example/requests/7"`
	ItemName         string          `json:"itemName" doc:"As the buyer typed it" example:"Iron Ore"`
	ItemID           core.ItemID     `json:"itemId,omitempty" doc:"The item of the catalogue that itemName names; left out for none" example:"12"`
	Quantity         int             `json:"quantity" example:"500"`
	Sold             int             `json:"sold" doc:"How many of the quantity were bought" example:"160"`
	Left             int             `json:"left" doc:"How many are still wanted" example:"340"`
	MaxPricePerUnit  core.Copper     `json:"maxPricePerUnit" doc:"Unit price, in copper" example:"250"`
	RemainingValue   string          `json:"remainingValue" pattern:"^[0-9]+$" doc:"What the remaining quantity pays, in copper" example:"85000"`
	LevelRequirement *int            `json:"levelRequirement" minimum:"1" limit:"level" doc:"null for any" example:"120"`
	Category         game.Category   `json:"category"`
	Importance       game.Importance `json:"importance"`
	SignedInOnly     bool            `json:"signedInOnly" doc:"Takes offers of signed-in sellers only"`
	NoPrograms       bool            `json:"noPrograms,omitempty" doc:"Takes no offers by programs"`
	CreatedAt        time.Time       `json:"createdAt"`
	UpdatedAt        time.Time       `json:"updatedAt"`
	ExpiresAt        time.Time       `json:"expiresAt" doc:"From then on it is in no list, without a change of its version"`
}

// ViewPublicOrder returns the shape of an open order for programs.
func ViewPublicOrder(k *Kernel, o trade.Order) PublicOrderView {
	return PublicOrderView{
		ID: o.ID, Version: o.Version, URL: RequestURL(k, o.ID),
		ItemName: o.ItemName, ItemID: o.Item, Quantity: o.Quantity, Sold: o.Sold, Left: o.Remaining(),
		MaxPricePerUnit:  o.MaxPrice,
		RemainingValue:   strconv.FormatInt(int64(o.RemainingValue()), 10),
		LevelRequirement: o.LevelRequirement, Category: o.Category, Importance: o.Importance,
		SignedInOnly: o.SignedInOnly, NoPrograms: o.NoPrograms,
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt, ExpiresAt: o.ExpiresAt,
	}
}

// RequestURL returns the address of a request's page.
func RequestURL(k *Kernel, id core.OrderID) string {
	return fmt.Sprintf("%s/requests/%d", k.Public, id)
}
