package trade

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

type listOrdersInput struct {
	kernel.OrderFilter
	Categories []game.Category `query:"category,explode" doc:"Any of these; may be repeated"`
	Sort       match.Sort      `query:"sort" doc:"Defaults to newest"`
	Group      match.Grouping  `query:"group" enum:"item" doc:"item: of each item only the request that comes first, with what all of them come to"`
	Cursor     string          `query:"cursor" doc:"nextCursor of the page before"`
	Limit      int             `query:"limit" minimum:"1" limit:"page" default:"60" doc:"How many on a page"`
}

func (a orders) listOrders(
	ctx context.Context, in *listOrdersInput,
) (*kernel.Answer[kernel.OrderPageView], error) {
	if err := kernel.CheckLimit(in.Limit); err != nil {
		return nil, err
	}
	after, err := match.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	filter, err := in.Filter(in.Categories)
	if err != nil {
		return nil, err
	}
	page, err := a.Market.Match.BrowseOrders(ctx, match.OrderQuery{
		OrderFilter: filter, Sort: in.Sort, After: after, Limit: in.Limit, Group: in.Group,
	})
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[kernel.OrderPageView]{Body: kernel.ViewPage(page, kernel.ViewListedOrder,
		a.Now())}, nil
}

func (a orders) countOrders(
	ctx context.Context, in *struct{ kernel.OrderFilter },
) (*kernel.Answer[kernel.CountsView], error) {
	filter, err := in.Filter(nil)
	if err != nil {
		return nil, err
	}
	counts, err := a.Market.Match.CountOrders(ctx, filter)
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[kernel.CountsView]{Body: kernel.CountsView{All: counts.All,
		Categories: counts.ByCategory}}, nil
}

// PageJSON returns the response for a page of open orders.
func PageJSON(ctx context.Context, k *kernel.Kernel, q match.OrderQuery) ([]byte, time.Time, error) {
	page, err := k.Market.Match.BrowseOrders(ctx, q)
	if err != nil {
		return nil, time.Time{}, err
	}
	var body bytes.Buffer
	err = huma.DefaultJSONFormat.Marshal(&body, kernel.ViewPage(page, kernel.ViewListedOrder, k.Now()))
	return body.Bytes(), page.ValidUntil, err
}

// CountsJSON returns the response for the counts of all open orders.
func CountsJSON(ctx context.Context, k *kernel.Kernel) ([]byte, time.Time, error) {
	counts, err := k.Market.Match.CountOrders(ctx, match.OrderFilter{})
	if err != nil {
		return nil, time.Time{}, err
	}
	body, err := json.Marshal(kernel.CountsView{All: counts.All, Categories: counts.ByCategory})
	return body, counts.ValidUntil, err
}

func (a orders) postOrder(ctx context.Context, in *kernel.PostOrderInput) (*orderAnswer, error) {
	in.By.PriceConfirmed = in.Body.Fields.ConfirmPrice
	draft := in.Body.Fields.Draft()
	draft.NoPrograms = draft.NoPrograms && a.Features.Tokens
	return a.changed(a.Market.Trade.PostOrderWith(ctx, in.By, draft,
		trade.PostTerms{Ask: in.AskStock, Standing: in.Body.Fields.StandingDraft()}))
}

// orderAnswer is one order, with the version as its entity tag.
type orderAnswer struct {
	ETag         string `header:"ETag" doc:"The version in quotes" example:"\"v1\""`
	CacheControl string `header:"Cache-Control" hidden:"true"`
	Body         *kernel.OrderView
}

func answerOrder(v kernel.OrderView) *orderAnswer {
	return &orderAnswer{ETag: kernel.VersionTag(v.Version), CacheControl: "private, no-cache", Body: &v}
}

// changed answers a write with what it made of the order.
func (a orders) changed(order trade.Order, err error) (*orderAnswer, error) {
	if err != nil {
		return nil, err
	}
	view := kernel.ViewOrder(order, a.Now())
	view.Undo = kernel.ViewUndo(order.CloseUndo(a.Now()), order.Owner, a.Now())
	return answerOrder(view), nil
}

type getOrderInput struct {
	kernel.OneOrder
	IfNoneMatch string `header:"If-None-Match" doc:"The ETag that is known"`
}

type getOrderOutput struct {
	Status       int
	ETag         string `header:"ETag" doc:"The version in quotes" example:"\"v1\""`
	CacheControl string `header:"Cache-Control" hidden:"true"`
	Body         *kernel.OrderView
}

func (a orders) getOrder(ctx context.Context, in *getOrderInput) (*getOrderOutput, error) {
	order, err := a.Market.Trade.Order(ctx, in.By, in.ID)
	if err != nil {
		return nil, err
	}
	kernel.SharedWhileOpen(ctx, order.Order)
	out := &getOrderOutput{Status: http.StatusOK, ETag: kernel.VersionTag(order.Version),
		CacheControl: "private, no-cache"}
	if order.LookAlike.Any() {
		out.ETag = "" // the mark comes and goes without a new version
	}
	var view kernel.OrderView
	switch {
	case in.By.MustBe(order.Order.Owner) == nil:
		// New offers do not change the version, so the owner always gets a full response.
		view = kernel.ViewOwnOrder(order, a.Now())
	// The contacts in a request that is over depend on the client, so that is always a full response, too.
	case out.ETag != "" && order.ContactsShown(a.Now()) && strings.Contains(in.IfNoneMatch, out.ETag):
		out.Status = http.StatusNotModified
		return out, nil
	default:
		view = kernel.ViewOrder(order.Order, a.Now())
	}
	out.Body = &view
	return out, nil
}

type editOrderInput struct {
	kernel.ByOrder
	kernel.Keyed
	IfMatch string `header:"If-Match" doc:"The ETag of the version that the edit was made from" example:"\"v1\""`
	Body    kernel.Sent[kernel.OrderEdit]
}

func (a orders) editOrder(ctx context.Context, in *editOrderInput) (*orderAnswer, error) {
	version, err := editedVersion(in.Body.Fields.Version, in.IfMatch)
	if err != nil {
		return nil, err
	}
	in.By.PriceConfirmed = in.Body.Fields.ConfirmPrice
	edit := in.Body.Fields.Edit(version)
	if !a.Features.Tokens {
		edit.NoPrograms = nil
	}
	return a.changed(a.Market.Trade.EditOrder(ctx, in.By, in.ID, edit))
}

// editedVersion finds out which version an edit was made from.
func editedVersion(field *int, ifMatch string) (int, error) {
	// Proxies that compress make entity tags weak on the way out.
	tag := strings.TrimPrefix(strings.TrimSpace(ifMatch), "W/")
	fromTag, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(tag, `"v`), `"`))
	switch {
	case ifMatch == "" && field != nil:
		return *field, nil
	case ifMatch != "" && err == nil && tag == kernel.VersionTag(fromTag) &&
		(field == nil || *field == fromTag):
		return fromTag, nil
	}
	const message = "Say which version you edited, as version or If-Match"
	return 0, &core.Error{Kind: core.Invalid, Message: message,
		Fields: []core.FieldError{{Field: "version", Message: message}}}
}

type orderWrite struct {
	kernel.ByOrder
	kernel.Keyed
}

func (a orders) closeOrder(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(a.Market.Trade.CloseOrder(ctx, in.By, in.ID))
}

func (a orders) renewOrder(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(a.Market.Trade.RenewOrder(ctx, in.By, in.ID))
}

func (a orders) deleteOrder(ctx context.Context, in *orderWrite) error {
	return a.Market.Trade.DeleteOrder(ctx, in.By, in.ID)
}

type listMyOrdersInput struct {
	Status match.OrderList `query:"status" doc:"Defaults to active"`
	kernel.CursorInput
}

func (a orders) listMyOrders(
	ctx context.Context, in *listMyOrdersInput,
) (*kernel.Answer[kernel.OrderPageView], error) {
	after, err := match.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	page, err := a.Market.Match.OwnOrders(ctx, in.By, match.OrderQuery{List: in.Status, After: after})
	if err != nil {
		return nil, err
	}
	return &kernel.Answer[kernel.OrderPageView]{Body: kernel.ViewPage(page, kernel.ViewOwnOrder,
		a.Now())}, nil
}
