package web

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
)

type listOrdersInput struct {
	OrderFilter
	Categories []core.Category `query:"category,explode" doc:"Any of these; may be repeated"`
	Sort       core.Sort       `query:"sort" doc:"Defaults to newest"`
	Group      core.Grouping   `query:"group" enum:"item" doc:"item: of each item only the request that comes first, with what all of them come to"`
	Cursor     string          `query:"cursor" doc:"nextCursor of the page before"`
	Limit      int             `query:"limit" minimum:"1" limit:"page" doc:"Defaults to the maximum"`
}

func (a orders) listOrders(ctx context.Context, in *listOrdersInput) (*answer[orderPageView], error) {
	after, err := core.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	filter, err := in.filter(in.Categories)
	if err != nil {
		return nil, err
	}
	page, err := a.market.BrowseOrders(ctx, core.OrderQuery{
		OrderFilter: filter, Sort: in.Sort, After: after, Limit: in.Limit, Group: in.Group,
	})
	if err != nil {
		return nil, err
	}
	return &answer[orderPageView]{Body: viewPage(page, viewListedOrder, a.now())}, nil
}

func (a orders) countOrders(ctx context.Context, in *struct{ OrderFilter }) (*answer[countsView], error) {
	filter, err := in.filter(nil)
	if err != nil {
		return nil, err
	}
	counts, err := a.market.CountOrders(ctx, filter)
	if err != nil {
		return nil, err
	}
	return &answer[countsView]{Body: countsView{All: counts.All, Categories: counts.ByCategory}}, nil
}

// pageJSON returns the response for a page of open orders.
func pageJSON(ctx context.Context, k *Kernel, q core.OrderQuery) ([]byte, time.Time, error) {
	page, err := k.market.BrowseOrders(ctx, q)
	if err != nil {
		return nil, time.Time{}, err
	}
	var body bytes.Buffer
	err = huma.DefaultJSONFormat.Marshal(&body, viewPage(page, viewListedOrder, k.now()))
	return body.Bytes(), page.ValidUntil, err
}

// countsJSON returns the response for the counts of all open orders.
func countsJSON(ctx context.Context, k *Kernel) ([]byte, time.Time, error) {
	counts, err := k.market.CountOrders(ctx, core.OrderFilter{})
	if err != nil {
		return nil, time.Time{}, err
	}
	body, err := json.Marshal(countsView{All: counts.All, Categories: counts.ByCategory})
	return body, counts.ValidUntil, err
}

func (a orders) postOrder(ctx context.Context, in *postOrderInput) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) {
		actor.PriceConfirmed = in.Body.Fields.ConfirmPrice
		return a.market.PostOrderAsking(ctx, actor, in.Body.Fields.draft(), in.AskStock)
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
func (a orders) changed(ctx context.Context, key Keyed, do func(core.Actor) (core.Order, error)) (*orderAnswer, error) {
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

func (a orders) getOrder(ctx context.Context, in *getOrderInput) (*getOrderOutput, error) {
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	order, err := a.market.Order(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	sharedWhileOpen(ctx, order.Order)
	out := &getOrderOutput{Status: http.StatusOK, ETag: versionTag(order.Version), CacheControl: "private, no-cache"}
	if order.LookAlike.Any() {
		out.ETag = "" // the mark comes and goes without a new version
	}
	var view orderView
	switch {
	case actor.MustOwn(order.Order) == nil:
		// New offers do not change the version, so the owner always gets a full response.
		view = viewOwnOrder(order, a.now())
	// Who sees the contacts of a request that is over depends on who asks, so that is always a full response, too.
	case out.ETag != "" && order.ContactsShown(a.now()) && strings.Contains(in.IfNoneMatch, out.ETag):
		out.Status = http.StatusNotModified
		return out, nil
	default:
		view = viewOrder(order.Order, a.now())
	}
	out.Body = &view
	return out, nil
}

type editOrderInput struct {
	ByOrder
	Keyed
	IfMatch string `header:"If-Match" doc:"The ETag of the version that the edit was made from" example:"\"v1\""`
	Body    sent[orderEdit]
}

func (a orders) editOrder(ctx context.Context, in *editOrderInput) (*orderAnswer, error) {
	version, err := editedVersion(in.Body.Fields.Version, in.IfMatch)
	if err != nil {
		return nil, err
	}
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) {
		actor.PriceConfirmed = in.Body.Fields.ConfirmPrice
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

func (a orders) closeOrder(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) { return a.market.CloseOrder(ctx, actor, in.ID) })
}

func (a orders) renewOrder(ctx context.Context, in *orderWrite) (*orderAnswer, error) {
	return a.changed(ctx, in.Keyed, func(actor core.Actor) (core.Order, error) { return a.market.RenewOrder(ctx, actor, in.ID) })
}

func (a orders) deleteOrder(ctx context.Context, in *orderWrite) error {
	actor, err := a.actor(ctx, in.Key)
	if err != nil {
		return err
	}
	return a.market.DeleteOrder(ctx, actor, in.ID)
}

type listMyOrdersInput struct {
	Status core.OrderList `query:"status" doc:"Defaults to active"`
	Cursor string         `query:"cursor" doc:"nextCursor of the page before"`
}

func (a orders) listMyOrders(ctx context.Context, in *listMyOrdersInput) (*answer[orderPageView], error) {
	after, err := core.ParseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	actor, err := a.actor(ctx, "")
	if err != nil {
		return nil, err
	}
	page, err := a.market.OwnOrders(ctx, actor, core.OrderQuery{List: in.Status, After: after})
	if err != nil {
		return nil, err
	}
	return &answer[orderPageView]{Body: viewPage(page, viewOwnOrder, a.now())}, nil
}
