package kernel

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// OrderView is the JSON shape of an order. It is the same for every user, except for the count of
// offers.
type OrderView struct {
	ID               core.OrderID              `json:"id" example:"7"`
	UserID           core.UserID               `json:"userId" doc:"The buyer's user ID on this site" example:"3"`
	Version          int                       `json:"version" doc:"Increases with every change; an edit sends the version it was made from" example:"1"`
	ItemName         string                    `json:"itemName" doc:"As the buyer typed it" example:"Iron Ore"`
	ItemID           core.ItemID               `json:"itemId,omitempty" doc:"The item of the catalogue that itemName names; left out for none" example:"12"`
	ListID           core.ListID               `json:"listId,omitempty" doc:"The list that it was posted with; left out for none" example:"5"`
	ListingID        core.StockID              `json:"listingId,omitempty" doc:"What is for sale that it asks for; only its buyer and its seller see it. Left out for none" example:"9"`
	Quantity         int                       `json:"quantity" example:"500"`
	Sold             int                       `json:"sold" doc:"How many of the quantity were bought" example:"160"`
	Progress         int                       `json:"progress" minimum:"0" maximum:"100" doc:"Percent sold, rounded down; 100 once fulfilled" example:"32"`
	MaxPricePerUnit  core.Copper               `json:"maxPricePerUnit" doc:"Unit price, in copper" example:"250"`
	TotalValue       string                    `json:"totalValue" pattern:"^[0-9]+$" doc:"What the whole request pays, in copper" example:"125000"`
	RemainingValue   string                    `json:"remainingValue" pattern:"^[0-9]+$" doc:"What the remaining quantity pays, in copper" example:"85000"`
	Description      string                    `json:"description" doc:"Empty for none" example:"For the new guild hall"`
	BuyerContact     string                    `json:"buyerContact" doc:"A Discord username; once the request is over, empty for everybody but its two sides and moderators" example:"maple"`
	IGN              *string                   `json:"ign" doc:"In-game name; shown to the same people as buyerContact" example:"Maple"`
	LookAlike        *LookAlikeView            `json:"lookAlike,omitempty" doc:"Which of the two looks like the name of an established trader, but isn't theirs; left out when neither does"`
	LevelRequirement *int                      `json:"levelRequirement" minimum:"1" limit:"level" doc:"null for any" example:"120"`
	Category         game.Category             `json:"category"`
	Importance       game.Importance           `json:"importance"`
	SignedInOnly     bool                      `json:"signedInOnly" doc:"Takes offers of signed-in sellers only"`
	NoPrograms       bool                      `json:"noPrograms,omitempty" doc:"Takes no offers by programs"`
	Status           trade.Status              `json:"status"`
	CloseReason      OrNull[trade.CloseReason] `json:"closeReason" doc:"null while active"`
	Expired          bool                      `json:"expired" doc:"Past its expiry date and not fulfilled; visible only to the buyer"`
	Hidden           bool                      `json:"hidden" doc:"The buyer is blocked; visible only to the buyer and to moderators"`
	CreatedAt        time.Time                 `json:"createdAt"`
	UpdatedAt        time.Time                 `json:"updatedAt"`
	ExpiresAt        time.Time                 `json:"expiresAt"`
	ClosedAt         *time.Time                `json:"closedAt" doc:"null while active"`
	Undo             *UndoView                 `json:"undo,omitempty" doc:"How its buyer can open it again; only for them, and left out when they can't"`
	OfferCount       *int                      `json:"offerCount,omitempty" doc:"Number of open offers; only for the buyer"`
	Purchases        *purchasesView            `json:"purchases,omitempty" doc:"What was bought; only for the buyer of a fulfilled request of which something was sold"`
	Group            *groupView                `json:"group,omitempty" doc:"Only with group=item"`
}

// LookAlikeView says which names look like names of established traders.
type LookAlikeView struct {
	Contact bool `json:"contact" doc:"The Discord username" example:"true"`
	Name    bool `json:"name" doc:"The buyer's in-game name, or the seller's name" example:"false"`
}

// ViewLookAlike returns nil when neither name looks like another.
func ViewLookAlike(l core.LookAlike) *LookAlikeView {
	if !l.Any() {
		return nil
	}
	return &LookAlikeView{l.Contact, l.Name}
}

// purchasesView is the JSON shape of the sum of the sales of a fulfilled order.
type purchasesView struct {
	FirstAt     time.Time `json:"firstAt" doc:"When the first of it was bought"`
	LastAt      time.Time `json:"lastAt" doc:"When the last of it was bought"`
	Paid        string    `json:"paid" pattern:"^[0-9]+$" doc:"What was paid in all, in copper" example:"40000"`
	Sellers     []string  `json:"sellers" doc:"Names of sellers whose offers were accepted, in the order of their first sale; at most three" example:"[\"Fern\"]"`
	SellerCount int       `json:"sellerCount" doc:"How many of them there are" example:"1"`
}

// ViewOrder returns the shape of an order as everybody sees it.
func ViewOrder(o trade.Order, now time.Time) OrderView {
	v := OrderView{
		ID: o.ID, UserID: o.Owner, Version: o.Version, ItemName: o.ItemName, ItemID: o.Item, ListID: o.List,
		Quantity: o.Quantity, Sold: o.Sold, Progress: o.Progress(), MaxPricePerUnit: o.MaxPrice,
		TotalValue:     strconv.FormatInt(int64(o.TotalValue()), 10),
		RemainingValue: strconv.FormatInt(int64(o.RemainingValue()), 10),
		Description:    o.Description, BuyerContact: o.BuyerContact, IGN: TextOrNil(o.InGameName),
		LookAlike: ViewLookAlike(o.LookAlike), LevelRequirement: o.LevelRequirement,
		Category: o.Category, Importance: o.Importance,
		SignedInOnly: o.SignedInOnly, NoPrograms: o.NoPrograms,
		Status: o.Status, Expired: o.Expired(now), Hidden: o.Away(), ListingID: o.Listing,
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt, ExpiresAt: o.ExpiresAt,
	}
	if reason := o.CloseReason; reason != trade.NotClosed {
		v.CloseReason.Value = &reason
	}
	if at := o.ClosedAt; !at.IsZero() {
		v.ClosedAt = &at
	}
	return v
}

// ViewOwnOrder returns the shape of an order as its buyer sees it.
func ViewOwnOrder(o trade.ListedOrder, now time.Time) OrderView {
	v := ViewOrder(o.Order, now)
	v.OfferCount, v.Undo = &o.Offers, ViewUndo(o.Undo(now), o.Owner, now)
	if b := o.Purchases; b != nil {
		v.Purchases = &purchasesView{
			FirstAt: b.First, LastAt: b.Last, Paid: strconv.FormatInt(int64(b.Paid), 10),
			Sellers: append([]string{}, b.Sellers...), SellerCount: b.SellerCount,
		}
	}
	return v
}

// OrderPageView is the JSON shape of a page of orders.
type OrderPageView struct {
	Orders     []OrderView `json:"orders"`
	Total      int         `json:"total" doc:"Total number of matches, on every page"`
	Exact      bool        `json:"totalIsExact" required:"false" doc:"false when more match than total says: with a filter besides categories, 1,000 are counted at most"`
	NextCursor *string     `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
	AlsoFor    string      `json:"alsoFor,omitempty" doc:"The search with one typo corrected, whose matches are listed too because fewer than five match as it is written; left out when none was" example:"iron ore"`
}

// ViewPage returns a page of orders, each as view shows it.
func ViewPage(
	p match.OrderPage, view func(trade.ListedOrder, time.Time) OrderView, now time.Time,
) OrderPageView {
	v := OrderPageView{Orders: make([]OrderView, len(p.Orders)), Total: p.Total, Exact: !p.AtLeast,
		AlsoFor: p.Also}
	for i, o := range p.Orders {
		v.Orders[i] = view(o, now)
	}
	if p.Next != nil {
		cursor := p.Next.String()
		v.NextCursor = &cursor
	}
	return v
}

// OrderFilter narrows a list of open orders.
type OrderFilter struct {
	Text       string            `query:"q" limit:"itemName" doc:"Words that must all occur: whole or as part of a word in the item name, the description or the names of the buyer, or as the beginning of a profession, in any language. A hyphen is a space." example:"iro"`
	Item       string            `query:"item" limit:"itemName" doc:"The whole name of an item, in any case" example:"iron ore"`
	ItemID     core.ItemID       `query:"itemId" doc:"An item of the catalogue: requests that name it, by any of its names" example:"12"`
	Importance []game.Importance `query:"importance,explode" doc:"Any of these; may be repeated"`
	Level      int               `query:"level" minimum:"0" limit:"level" doc:"The caller's level: only requests that require no more" example:"120"`
	Skills     []string          `query:"skill,explode" doc:"The caller's level in a profession: only requests of these professions that require no more; may be repeated" example:"[\"Miner:120\"]"`
	MinPrice   core.Copper       `query:"minPrice" minimum:"0" doc:"Lowest unit price paid, in copper"`
	MaxPrice   core.Copper       `query:"maxPrice" minimum:"0" doc:"Highest unit price paid, in copper"`
}

// Filter returns the filter of the core.
func (f OrderFilter) Filter(categories []game.Category) (match.OrderFilter, error) {
	skills, err := parseSkills(f.Skills)
	return match.OrderFilter{
		Categories: categories, Text: f.Text, Texts: trade.TextFilter{Item: f.Item}, ItemID: f.ItemID,
		Importance: f.Importance,
		Level:      f.Level, Skills: skills,
		MinPrice: f.MinPrice, MaxPrice: f.MaxPrice,
	}, err
}

// SharedTexts are texts of a request to be posted. All requests of a list share them.
type SharedTexts struct {
	BuyerContact string  `json:"buyerContact" limit:"contact" doc:"A Discord username" example:"maple"`
	IGN          *string `json:"ign" required:"false" limit:"inGameName" doc:"In-game name" example:"Maple"`
}

// Draft returns a draft of the core with the texts alone.
func (t SharedTexts) Draft() trade.OrderDraft {
	return trade.OrderDraft{BuyerContact: t.BuyerContact, InGameName: textOrEmpty(t.IGN)}
}

func textOrEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// orderDraft contains the fields of an order that its buyer fills in.
type orderDraft struct {
	ItemName        string      `json:"itemName" limit:"itemName" example:"Iron Ore"`
	Quantity        int         `json:"quantity" minimum:"1" limit:"quantity" example:"500"`
	MaxPricePerUnit core.Copper `json:"maxPricePerUnit" minimum:"1" limit:"price" doc:"Unit price, in copper" example:"250"`
	Description     string      `json:"description" required:"false" limit:"description" example:"For the new guild hall"`
	SharedTexts
	LevelRequirement *int            `json:"levelRequirement" required:"false" minimum:"1" limit:"level" doc:"null for any" example:"120"`
	Category         game.Category   `json:"category" required:"false" doc:"Defaults to the profession that makes the item of the catalogue which itemName names, else to the game's default"`
	Importance       game.Importance `json:"importance" required:"false" doc:"Defaults to medium"`
	SignedInOnly     bool            `json:"signedInOnly" required:"false" doc:"Take offers of signed-in sellers only"`
	NoPrograms       bool            `json:"noPrograms" required:"false" doc:"Take no offers by programs"`
	ConfirmPrice     bool            `json:"confirmPrice" required:"false" doc:"Take a price that is far from what is known; see the code price_unusual"`
	Standing         trade.Sellers   `json:"standing" required:"false" maxLength:"8" enum:"trusted,met,anybody" doc:"Accept offers of these sellers as they come, for the whole quantity and 30 days; PUT /api/orders/{id}/standing changes it. The request also buys at once from their listings that sell without asking, at their price. Left out for not at all" example:"anybody"`
}

// StandingDraft returns how the new request accepts offers as they come; nil for not at all.
func (d orderDraft) StandingDraft() *trade.StandingDraft {
	if d.Standing == "" {
		return nil
	}
	return &trade.StandingDraft{Sellers: d.Standing}
}

// Draft returns the draft of the core.
func (d orderDraft) Draft() trade.OrderDraft {
	draft := d.SharedTexts.Draft()
	draft.ItemName, draft.Description = d.ItemName, d.Description
	draft.Quantity, draft.MaxPrice = d.Quantity, d.MaxPricePerUnit
	draft.LevelRequirement, draft.Category, draft.Importance = d.LevelRequirement, d.Category, d.Importance
	draft.SignedInOnly, draft.NoPrograms = d.SignedInOnly, d.NoPrograms
	return draft
}

// OrderEdit is the JSON shape of an edit; a field that is left out keeps its value.
type OrderEdit struct {
	Version          *int                    `json:"version" required:"false" nullable:"false" doc:"The version that the edit was made from; may come as If-Match instead" example:"1"`
	ItemName         change[string]          `json:"itemName" required:"false" limit:"itemName" example:"Iron Ore"`
	Quantity         change[int]             `json:"quantity" required:"false" minimum:"1" limit:"quantity" doc:"At least the quantity already sold; an equal quantity closes the request" example:"600"`
	MaxPricePerUnit  change[core.Copper]     `json:"maxPricePerUnit" required:"false" minimum:"1" limit:"price" doc:"Unit price, in copper" example:"260"`
	Description      change[string]          `json:"description" required:"false" nullable:"true" limit:"description" doc:"null for none"`
	BuyerContact     change[string]          `json:"buyerContact" required:"false" limit:"contact" doc:"A Discord username" example:"maple"`
	LevelRequirement change[*int]            `json:"levelRequirement" required:"false" minimum:"1" limit:"level" doc:"null for any"`
	IGN              change[*string]         `json:"ign" required:"false" limit:"inGameName" doc:"In-game name; null for none"`
	Category         change[game.Category]   `json:"category" required:"false"`
	Importance       change[game.Importance] `json:"importance" required:"false"`
	SignedInOnly     change[bool]            `json:"signedInOnly" required:"false" doc:"Take offers of signed-in sellers only"`
	NoPrograms       change[bool]            `json:"noPrograms" required:"false" doc:"No offers by programs"`
	ConfirmPrice     bool                    `json:"confirmPrice" required:"false" doc:"Take a price that is far from what is known; see the code price_unusual"`
}

// Edit returns the edit of the core, made from a version.
func (e OrderEdit) Edit(version int) trade.OrderEdit {
	edit := trade.OrderEdit{
		Version:  version,
		ItemName: e.ItemName.pointer(), Quantity: e.Quantity.pointer(), MaxPrice: e.MaxPricePerUnit.pointer(),
		Description: e.Description.pointer(), BuyerContact: e.BuyerContact.pointer(),
		LevelRequirement: e.LevelRequirement.Value, AnyLevel: e.LevelRequirement.Given &&
			e.LevelRequirement.Value == nil,
		Category: e.Category.pointer(), Importance: e.Importance.pointer(),
		SignedInOnly: e.SignedInOnly.pointer(), NoPrograms: e.NoPrograms.pointer(),
	}
	if e.IGN.Given {
		edit.InGameName = new(textOrEmpty(e.IGN.Value))
	}
	return edit
}

// VersionTag returns the entity tag of a version of an order.
func VersionTag(version int) string { return fmt.Sprintf(`"v%d"`, version) }

// CountsView is the JSON shape of how many orders are open.
type CountsView struct {
	All        int                   `json:"all" doc:"In every category"`
	Categories map[game.Category]int `json:"categories" doc:"Every category has an entry"`
}

// groupView is the JSON shape of the open orders of one item.
type groupView struct {
	Requests int         `json:"requests" doc:"How many requests of this item match" example:"4"`
	Wanted   int         `json:"wanted" doc:"How many are left of all of them" example:"1240"`
	Best     core.Copper `json:"best" doc:"The highest unit price, in copper" example:"25000"`
}

// ViewListedOrder returns the shape of an order on the board, with its group where it has one.
func ViewListedOrder(o trade.ListedOrder, now time.Time) OrderView {
	v := ViewOrder(o.Order, now)
	if o.Group.Orders > 0 {
		v.Group = &groupView{Requests: o.Group.Orders, Wanted: o.Group.Wanted, Best: o.Group.Best}
	}
	return v
}

// parseSkills reads skills from an address, each written as "Miner:120".
func parseSkills(texts []string) ([]people.Skill, error) {
	var c core.Checks
	skills := make([]people.Skill, 0, len(texts))
	for _, text := range texts {
		at := strings.LastIndexByte(text, ':')
		level, err := strconv.Atoi(text[at+1:])
		c.That(at > 0 && err == nil, "skill", core.NewText("skill_format"))
		skills = append(skills, people.Skill{Category: game.Category(text[:max(at, 0)]), Level: level})
	}
	return skills, c.Err()
}

// PostOrderInput is the input of a new order.
type PostOrderInput struct {
	Keyed
	AskStock core.StockID `query:"askStock" doc:"Public stock of this item: its seller is alerted first" example:"9"`
	Body     Sent[orderDraft]
}
