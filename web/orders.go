package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
)

// orderView is the JSON shape of an order. It is the same for every reader, but for the count of offers.
type orderView struct {
	ID               core.OrderID             `json:"id" example:"7"`
	UserID           core.UserID              `json:"userId" doc:"The buyer, by the site's own number" example:"3"`
	Version          int                      `json:"version" doc:"Grows with every change; an edit names the version it was made from" example:"1"`
	ItemName         string                   `json:"itemName" example:"Iron Ore"`
	Quantity         int                      `json:"quantity" example:"500"`
	Sold             int                      `json:"sold" doc:"How many of the quantity were bought" example:"160"`
	Progress         int                      `json:"progress" minimum:"0" maximum:"100" doc:"Percent sold, rounded down; 100 once fulfilled" example:"32"`
	MaxPricePerUnit  core.Copper              `json:"maxPricePerUnit" doc:"For one, in copper" example:"250"`
	TotalValue       string                   `json:"totalValue" pattern:"^[0-9]+$" doc:"What the whole request pays, in copper" example:"125000"`
	RemainingValue   string                   `json:"remainingValue" pattern:"^[0-9]+$" doc:"What the rest of it pays, in copper" example:"85000"`
	Description      string                   `json:"description" doc:"Empty for none" example:"For the new guild hall"`
	BuyerContact     string                   `json:"buyerContact" doc:"A Discord username" example:"maple"`
	IGN              *string                  `json:"ign" doc:"In-game name" example:"Maple"`
	LevelRequirement *int                     `json:"levelRequirement" minimum:"1" maximum:"500" doc:"null for any" example:"120"`
	Category         core.Category            `json:"category"`
	Importance       core.Importance          `json:"importance"`
	SignedInOnly     bool                     `json:"signedInOnly" doc:"Takes offers of signed-in sellers only"`
	Status           core.Status              `json:"status"`
	CloseReason      orNull[core.CloseReason] `json:"closeReason" doc:"null while active"`
	Expired          bool                     `json:"expired" doc:"Past its time without having been fulfilled; shown to its buyer only"`
	Hidden           bool                     `json:"hidden" doc:"Its buyer is blocked; shown to them and to moderators only"`
	CreatedAt        time.Time                `json:"createdAt"`
	UpdatedAt        time.Time                `json:"updatedAt"`
	ExpiresAt        time.Time                `json:"expiresAt"`
	ClosedAt         *time.Time               `json:"closedAt" doc:"null while active"`
	OfferCount       *int                     `json:"offerCount,omitempty" doc:"How many offers stand; for the buyer's eyes only"`
}

func viewOrder(o core.Order, now time.Time) orderView {
	v := orderView{
		ID: o.ID, UserID: o.Owner, Version: o.Version, ItemName: o.ItemName,
		Quantity: o.Quantity, Sold: o.Sold, Progress: o.Progress(), MaxPricePerUnit: o.MaxPrice,
		TotalValue:     strconv.FormatInt(int64(o.TotalValue()), 10),
		RemainingValue: strconv.FormatInt(int64(o.RemainingValue()), 10),
		Description:    o.Description, BuyerContact: o.BuyerContact, IGN: textOrNil(o.InGameName), LevelRequirement: o.LevelRequirement,
		Category: o.Category, Importance: o.Importance, SignedInOnly: o.SignedInOnly, Status: o.Status, Expired: o.Expired(now), Hidden: o.Hidden,
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt, ExpiresAt: o.ExpiresAt,
	}
	if o.CloseReason != core.NotClosed {
		v.CloseReason.value = &o.CloseReason
	}
	if !o.ClosedAt.IsZero() {
		v.ClosedAt = &o.ClosedAt
	}
	return v
}

func viewOwnOrder(o core.ListedOrder, now time.Time) orderView {
	v := viewOrder(o.Order, now)
	v.OfferCount = &o.Offers
	return v
}

type orderPageView struct {
	Orders     []orderView `json:"orders"`
	Total      int         `json:"total" doc:"How many match in all, on every page"`
	NextCursor *string     `json:"nextCursor" doc:"Where the next page begins; null on the last one"`
}

// OrderFilter narrows a list of open orders.
type OrderFilter struct {
	Text       string            `query:"q" maxLength:"100" doc:"Words that all stand, as a whole or part of a word, in the item name or description" example:"iro"`
	Importance []core.Importance `query:"importance,explode" doc:"Any of these; may be repeated"`
	Level      int               `query:"level" minimum:"0" maximum:"500" doc:"What the reader can fill: requests that ask for no more" example:"120"`
	MinPrice   core.Copper       `query:"minPrice" minimum:"0" doc:"The least paid for one, in copper"`
	MaxPrice   core.Copper       `query:"maxPrice" minimum:"0" doc:"The most paid for one, in copper"`
}

func (f OrderFilter) filter(category core.Category) core.OrderFilter {
	return core.OrderFilter{
		Category: category, Text: f.Text, Importance: f.Importance, Level: f.Level, MinPrice: f.MinPrice, MaxPrice: f.MaxPrice,
	}
}

type listOrdersInput struct {
	OrderFilter
	Category core.Category `query:"category"`
	Sort     core.Sort     `query:"sort" doc:"newest when left out"`
	Cursor   string        `query:"cursor" doc:"nextCursor of the page before"`
	Limit    int           `query:"limit" minimum:"1" maximum:"60" doc:"60 when left out"`
}

func (a *api) listOrders(ctx context.Context, in *listOrdersInput) (*answer[orderPage], error) {
	after, err := core.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	page, err := a.market.BrowseOrders(ctx, core.OrderQuery{
		OrderFilter: in.filter(in.Category), Sort: in.Sort, After: after, Limit: in.Limit,
	})
	if err != nil {
		return nil, err
	}
	return &answer[orderPage]{orderPage{OrderPage: page, now: a.now()}}, nil
}

type itemsView struct {
	Items []string `json:"items" nullable:"false" doc:"Names of items, the likeliest first" example:"[\"Iron Ore\"]"`
}

const suggestedItems = 10

// suggestItems completes the name of an item.
func (a *api) suggestItems(ctx context.Context, in *struct {
	Text string `query:"q" doc:"What the names hold, also as a part of a word" example:"iro"`
}) (*answer[itemsView], error) {
	names, err := a.market.ItemNames(ctx, in.Text, suggestedItems)
	if err != nil {
		return nil, err
	}
	return &answer[itemsView]{itemsView{Items: names}}, nil
}

type countsView struct {
	All        int                   `json:"all" doc:"In every category"`
	Categories map[core.Category]int `json:"categories" doc:"Every category has its entry"`
}

func (a *api) countOrders(ctx context.Context, in *struct{ OrderFilter }) (*answer[countsView], error) {
	counts, err := a.market.CountOrders(ctx, in.filter(""))
	if err != nil {
		return nil, err
	}
	return &answer[countsView]{countsView{All: counts.All, Categories: counts.ByCategory}}, nil
}

// countsJSON returns the counts of all open orders as they are answered.
func (a *api) countsJSON(ctx context.Context) ([]byte, error) {
	counts, err := a.market.CountOrders(ctx, core.OrderFilter{})
	if err != nil {
		return nil, err
	}
	return json.Marshal(countsView{All: counts.All, Categories: counts.ByCategory})
}

// orderDraft is what a buyer says about an order.
type orderDraft struct {
	ItemName         string          `json:"itemName" maxLength:"100" example:"Iron Ore"`
	Quantity         int             `json:"quantity" minimum:"1" maximum:"1000000" example:"500"`
	MaxPricePerUnit  core.Copper     `json:"maxPricePerUnit" minimum:"1" maximum:"999999999999" doc:"For one, in copper" example:"250"`
	Description      string          `json:"description" required:"false" maxLength:"1000" example:"For the new guild hall"`
	BuyerContact     string          `json:"buyerContact" maxLength:"64" doc:"A Discord username" example:"maple"`
	LevelRequirement *int            `json:"levelRequirement" required:"false" minimum:"1" maximum:"500" doc:"null for any" example:"120"`
	IGN              *string         `json:"ign" required:"false" maxLength:"64" doc:"In-game name" example:"Maple"`
	Category         core.Category   `json:"category" required:"false"`
	Importance       core.Importance `json:"importance" required:"false" doc:"medium when left out"`
	SignedInOnly     bool            `json:"signedInOnly" required:"false" doc:"Take offers of signed-in sellers only"`
}

func (d orderDraft) draft() core.OrderDraft {
	draft := core.OrderDraft{
		ItemName: d.ItemName, Quantity: d.Quantity, MaxPrice: d.MaxPricePerUnit, Description: d.Description,
		BuyerContact: d.BuyerContact, LevelRequirement: d.LevelRequirement, Category: d.Category, Importance: d.Importance,
		SignedInOnly: d.SignedInOnly,
	}
	if d.IGN != nil {
		draft.InGameName = *d.IGN
	}
	return draft
}

type postOrderInput struct {
	Keyed
	Body sent[orderDraft]
}

func (a *api) postOrder(ctx context.Context, in *postOrderInput) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) {
		return a.market.PostOrder(ctx, actor, in.Body.Fields.draft())
	})
}

// orderAnswer is one order, with the version as its entity tag.
type orderAnswer struct {
	ETag         string `header:"ETag" doc:"The version in quotes" example:"\"v1\""`
	CacheControl string `header:"Cache-Control" hidden:"true"`
	Body         *orderView
}

func answerOrder(v orderView) *orderAnswer {
	return &orderAnswer{ETag: versionTag(v.Version), CacheControl: "private, no-cache", Body: &v}
}

// changed answers a write with what it made of the order.
func (a *api) changed(ctx context.Context, key Keyed, do func(core.Actor) (core.Order, error)) (*orderAnswer, error) {
	actor, err := a.actor(ctx, key.Key)
	if err != nil {
		return nil, err
	}
	order, err := do(actor)
	if err != nil {
		return nil, err
	}
	return answerOrder(viewOrder(order, a.now())), nil
}

type getOrderInput struct {
	ByOrder
	IfNoneMatch string `header:"If-None-Match" doc:"The ETag that is known"`
}

type getOrderOutput struct {
	Status       int
	ETag         string `header:"ETag" doc:"The version in quotes" example:"\"v1\""`
	CacheControl string `header:"Cache-Control" hidden:"true"`
	Body         *orderView
}

func (a *api) getOrder(ctx context.Context, in *getOrderInput) (*getOrderOutput, error) {
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	order, err := a.market.Order(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	out := &getOrderOutput{Status: http.StatusOK, ETag: versionTag(order.Version), CacheControl: "private, no-cache"}
	var view orderView
	switch {
	case actor.Owns(order.Order) == nil:
		// Offers come and go without a new version, so the owner is always answered in full.
		view = viewOwnOrder(order, a.now())
	case strings.Contains(in.IfNoneMatch, out.ETag):
		out.Status = http.StatusNotModified
		return out, nil
	default:
		view = viewOrder(order.Order, a.now())
	}
	out.Body = &view
	return out, nil
}

func versionTag(version int) string { return fmt.Sprintf(`"v%d"`, version) }

// orderEdit holds the fields that an edit changes; what is left out stays.
type orderEdit struct {
	Version          *int                    `json:"version" required:"false" nullable:"false" doc:"The version that the edit was made from; may come as If-Match instead" example:"1"`
	ItemName         change[string]          `json:"itemName" required:"false" maxLength:"100" example:"Iron Ore"`
	Quantity         change[int]             `json:"quantity" required:"false" minimum:"1" maximum:"1000000" doc:"Not less than what is already sold; equal to it closes the request" example:"600"`
	MaxPricePerUnit  change[core.Copper]     `json:"maxPricePerUnit" required:"false" minimum:"1" maximum:"999999999999" doc:"For one, in copper" example:"260"`
	Description      change[string]          `json:"description" required:"false" nullable:"true" maxLength:"1000" doc:"null for none"`
	BuyerContact     change[string]          `json:"buyerContact" required:"false" maxLength:"64" doc:"A Discord username" example:"maple"`
	LevelRequirement change[*int]            `json:"levelRequirement" required:"false" minimum:"1" maximum:"500" doc:"null for any"`
	IGN              change[*string]         `json:"ign" required:"false" maxLength:"64" doc:"In-game name; null for none"`
	Category         change[core.Category]   `json:"category" required:"false"`
	Importance       change[core.Importance] `json:"importance" required:"false"`
	SignedInOnly     change[bool]            `json:"signedInOnly" required:"false" doc:"Take offers of signed-in sellers only"`
}

func (e orderEdit) edit(version int) core.OrderEdit {
	edit := core.OrderEdit{
		Version:  version,
		ItemName: e.ItemName.pointer(), Quantity: e.Quantity.pointer(), MaxPrice: e.MaxPricePerUnit.pointer(),
		Description: e.Description.pointer(), BuyerContact: e.BuyerContact.pointer(),
		LevelRequirement: e.LevelRequirement.Value, AnyLevel: e.LevelRequirement.Given && e.LevelRequirement.Value == nil,
		Category: e.Category.pointer(), Importance: e.Importance.pointer(), SignedInOnly: e.SignedInOnly.pointer(),
	}
	if e.IGN.Given {
		edit.InGameName = new(string)
		if e.IGN.Value != nil {
			edit.InGameName = e.IGN.Value
		}
	}
	return edit
}

type editOrderInput struct {
	ByOrder
	Keyed
	IfMatch string `header:"If-Match" doc:"The ETag of the version that the edit was made from" example:"\"v1\""`
	Body    sent[orderEdit]
}

func (a *api) editOrder(ctx context.Context, in *editOrderInput) (*orderAnswer, error) {
	version, err := editedVersion(in.Body.Fields.Version, in.IfMatch)
	if err != nil {
		return nil, err
	}
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) {
		return a.market.EditOrder(ctx, actor, in.ID, in.Body.Fields.edit(version))
	})
}

// editedVersion finds out which version an edit was made from.
func editedVersion(field *int, ifMatch string) (int, error) {
	// Proxies that compress make entity tags weak on the way out.
	tag := strings.TrimPrefix(strings.TrimSpace(ifMatch), "W/")
	fromTag, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(tag, `"v`), `"`))
	switch {
	case ifMatch == "" && field != nil:
		return *field, nil
	case ifMatch != "" && err == nil && tag == versionTag(fromTag) && (field == nil || *field == fromTag):
		return fromTag, nil
	}
	const message = "Say which version you edited, as version or If-Match"
	return 0, &core.Error{Kind: core.Invalid, Message: message, Fields: []core.FieldError{{Field: "version", Message: message}}}
}

type orderWrite struct {
	ByOrder
	Keyed
}

func (a *api) closeOrder(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) { return a.market.CloseOrder(ctx, actor, in.ID) })
}

func (a *api) renewOrder(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) { return a.market.RenewOrder(ctx, actor, in.ID) })
}

func (a *api) deleteOrder(ctx context.Context, in *orderWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.DeleteOrder(ctx, actor, in.ID)
}
