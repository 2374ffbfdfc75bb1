package trade

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// listDraft is the JSON shape of a list to be posted.
type listDraft struct {
	Name        string `json:"name" maxLength:"100" example:"Guild hall"`
	Text        string `json:"text" maxLength:"4000" doc:"A request in each of up to 50 lines: the quantity, the item and the price per unit" example:"50x Iron Ore 10s\n20x Oak Log 5s"`
	Description string `json:"description" required:"false" limit:"description" doc:"Of every request" example:"For the new guild hall"`
	kernel.SharedTexts
	Category     game.Category   `json:"category" required:"false" doc:"Of items that the catalogue gives none"`
	Importance   game.Importance `json:"importance" required:"false" doc:"Defaults to medium"`
	SignedInOnly bool            `json:"signedInOnly" required:"false" doc:"Take offers of signed-in sellers only"`
	NoPrograms   bool            `json:"noPrograms" required:"false" doc:"Take no offers by programs"`
	ConfirmPrice bool            `json:"confirmPrice" required:"false" doc:"Take a price that is far from what is known; see the code price_unusual"`
}

func (d listDraft) draft() trade.ListDraft {
	texts := d.SharedTexts.Draft()
	texts.Description = d.Description
	draft := trade.ListDraft{
		Name: d.Name, Text: d.Text, Category: d.Category, Importance: d.Importance,
		SignedInOnly: d.SignedInOnly, NoPrograms: d.NoPrograms,
	}
	return draft.Sharing(texts)
}

// draft returns the draft of a list, without a term that a market without programs does not know.
func (a lists) draft(d listDraft) trade.ListDraft {
	d.NoPrograms = d.NoPrograms && a.Features.Tokens
	return d.draft()
}

// listProgressView is the JSON shape of how far a list has come.
type listProgressView struct {
	Orders  int `json:"orders" doc:"Requests of the list" example:"12"`
	Done    int `json:"done" doc:"Requests that are closed or filled" example:"3"`
	Wanted  int `json:"wanted" doc:"Items of all requests; of a closed one, as many as were bought" example:"600"`
	Sold    int `json:"sold" doc:"Of wanted" example:"200"`
	Percent int `json:"percent" minimum:"0" maximum:"100" doc:"Share of wanted that is sold, rounded down" example:"33"`
}

func viewProgress(p trade.ListProgress) listProgressView {
	return listProgressView{Orders: p.Orders, Done: p.Done, Wanted: p.Wanted, Sold: p.Sold,
		Percent: p.Percent()}
}

// postedListView is the JSON shape of a list with its requests.
type postedListView struct {
	ID        core.ListID        `json:"id" doc:"0 in a preview" example:"5"`
	UserID    core.UserID        `json:"userId" doc:"The buyer's user ID on this site" example:"3"`
	Name      string             `json:"name" example:"Guild hall"`
	CreatedAt time.Time          `json:"createdAt"`
	Progress  listProgressView   `json:"progress"`
	Orders    []kernel.OrderView `json:"orders" doc:"Requests of the list that the caller may see"`
}

func (a lists) viewList(l trade.PostedList) postedListView {
	view := postedListView{ID: l.ID, UserID: l.Owner, Name: l.Name, CreatedAt: l.CreatedAt,
		Progress: viewProgress(l.Progress()), Orders: make([]kernel.OrderView, len(l.Orders))}
	for i, o := range l.Orders {
		view.Orders[i] = kernel.ViewOrder(o, a.Now())
	}
	return view
}

// ListSummaryView is the JSON shape of a list without its requests.
type ListSummaryView struct {
	ID        core.ListID      `json:"id" example:"5"`
	Name      string           `json:"name" example:"Guild hall"`
	CreatedAt time.Time        `json:"createdAt"`
	Progress  listProgressView `json:"progress"`
}

// ViewLists returns the shapes of lists without their requests.
func ViewLists(lists []trade.ListSummary) []ListSummaryView {
	views := make([]ListSummaryView, len(lists))
	for i, l := range lists {
		views[i] = ListSummaryView{ID: l.ID, Name: l.Name, CreatedAt: l.CreatedAt,
			Progress: viewProgress(l.ListProgress)}
	}
	return views
}

type postListInput struct {
	kernel.Keyed
	Body kernel.Sent[listDraft]
}

func (a lists) postList(ctx context.Context, in *postListInput) (*kernel.Answer[postedListView], error) {
	in.By.PriceConfirmed = in.Body.Fields.ConfirmPrice
	list, err := a.Market.Trade.PostList(ctx, in.By, a.draft(in.Body.Fields))
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[postedListView]{Body: a.viewList(list)}, nil
}

func (a lists) previewList(ctx context.Context, in *postListInput) (*kernel.Answer[postedListView], error) {
	list, err := a.Market.Trade.PreviewList(ctx, in.By, a.draft(in.Body.Fields))
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[postedListView]{Body: a.viewList(list)}, nil
}

// listText is the text of a list.
type listText struct {
	Text string `json:"text" maxLength:"4000" doc:"As of a list" example:"50x Irn Ore 10s"`
}

// listFixView is the JSON shape of a line that a press can put right.
type listFixView struct {
	Number int                `json:"number" doc:"From 1, with empty lines" example:"1"`
	Text   string             `json:"text" example:"50x Irn Ore 10s"`
	Why    string             `json:"why" example:"No item is called Irn Ore. Did you mean Iron Ore?"`
	Fix    kernel.LineFixView `json:"fix"`
}

type listFixesView struct {
	Fixes []listFixView `json:"fixes" nullable:"false" doc:"Lines whose item is called nearly as typed, and those without a price of items that have a usual one"`
}

// fixList says which lines of a list a press can put right. It posts nothing.
func (a lists) fixList(ctx context.Context, in *struct {
	kernel.Keyed
	Body kernel.Sent[listText]
}) (*kernel.Answer[listFixesView], error) {
	fixes, err := a.Market.Trade.ListFixes(ctx, in.By, in.Body.Fields.Text)
	if err != nil {
		return nil, err
	}
	view := listFixesView{Fixes: make([]listFixView, len(fixes))}
	for i, f := range fixes {
		view.Fixes[i] = listFixView{Number: f.Number, Text: f.Text, Why: f.Why.String(),
			Fix: kernel.ViewLineFix(a.Game, f.Fix)}
	}
	return &kernel.Answer[listFixesView]{Body: view}, nil
}

// ByList is part of everything about one list.
type ByList struct {
	ID core.ListID `path:"id" doc:"The list" example:"5"`
}

type getListInput struct {
	kernel.Caller
	ByList
}

func (a lists) getList(ctx context.Context, in *getListInput) (*kernel.Answer[postedListView], error) {
	list, err := a.Market.Trade.PostedList(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[postedListView]{Body: a.viewList(list)}, nil
}

type listsView struct {
	Lists []ListSummaryView `json:"lists" doc:"Newest first; at most 50. A list without requests is left out"`
}

func (a lists) listMyLists(ctx context.Context, in *kernel.Caller) (*kernel.Answer[listsView], error) {
	lists, err := a.Market.Trade.PostedLists(ctx, in.By)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[listsView]{Body: listsView{Lists: ViewLists(lists)}}, nil
}

// listOfferDraft is the JSON shape of offers on several requests of a list.
type listOfferDraft struct {
	SellerName string               `json:"sellerName" limit:"sellerName" example:"Fern"`
	Message    string               `json:"message" limit:"message" example:"I have plenty"`
	Lines      []listOfferLineDraft `json:"lines" maxItems:"50" nullable:"false"`
}

type listOfferLineDraft struct {
	OrderID  core.OrderID `json:"orderId" doc:"A request of the list" example:"7"`
	Quantity int          `json:"quantity" minimum:"1" limit:"quantity" doc:"At most the quantity of the request" example:"20"`
}

type offerOnListInput struct {
	ByList
	kernel.Keyed
	Body kernel.Sent[listOfferDraft]
}

type listOffersView struct {
	Offers []kernel.OfferView `json:"offers" doc:"In the order of the lines"`
}

func (a lists) offerOnList(
	ctx context.Context, in *offerOnListInput,
) (*kernel.Answer[listOffersView], error) {
	d := in.Body.Fields
	draft := trade.ListOffer{SellerName: d.SellerName, Message: d.Message}
	for _, line := range d.Lines {
		draft.Lines = append(draft.Lines, trade.ListOfferLine{Order: line.OrderID, Quantity: line.Quantity})
	}
	sent, err := a.Market.Trade.OfferOnList(ctx, in.By, in.ID, draft)
	if err != nil {
		return nil, err
	}
	view := listOffersView{Offers: make([]kernel.OfferView, len(sent))}
	for i, one := range sent {
		view.Offers[i] = kernel.ViewOffer(one.Offer)
	}
	return &kernel.Answer[listOffersView]{Body: view}, nil
}
