package items

import (
	"context"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/moderation"
	"tradepost/web/kernel"
)

// provisionalView is the JSON shape of a name that waits for a moderator.
type provisionalView struct {
	Item     itemView                `json:"item"`
	Requests int                     `json:"requests" doc:"Number of requests that named it in the last 30 days" example:"4"`
	Near     kernel.OrNull[itemView] `json:"near" doc:"The item that the name is a near miss of; null for none"`
}

type provisionalPageView struct {
	Items      []provisionalView `json:"items" nullable:"false" doc:"Oldest first"`
	NextCursor *string           `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

func (a operations) listProvisionalItems(
	ctx context.Context, in *kernel.CursorInput,
) (*kernel.Answer[provisionalPageView], error) {
	return kernel.Listed(ctx, a.Kernel, in, a.Market.Items.Provisional,
		func(waiting []items.ProvisionalItem, next *string) provisionalPageView {
			page := provisionalPageView{Items: []provisionalView{}, NextCursor: next}
			for _, w := range waiting {
				view := provisionalView{Item: a.viewItem(w.Item), Requests: w.Requests}
				if w.Near != nil {
					view.Near.Value = new(a.viewItem(*w.Near))
				}
				page.Items = append(page.Items, view)
			}
			return page
		}, func(w items.ProvisionalItem) core.ItemID { return w.Item.ID })
}

type itemDecisionInput struct {
	kernel.ByItem
	kernel.Keyed
}

func (a operations) confirmItem(ctx context.Context, in *itemDecisionInput) error {
	return a.decideItem(ctx, in.By, in.ID, moderation.ConfirmItem, 0)
}

func (a operations) ignoreItem(ctx context.Context, in *itemDecisionInput) error {
	return a.decideItem(ctx, in.By, in.ID, moderation.IgnoreItem, 0)
}

// mergeDraft says which item a name means.
type mergeDraft struct {
	Into core.ItemID `json:"into" doc:"The item that it is another name of" example:"12"`
}

type mergeItemInput struct {
	kernel.ByItem
	kernel.Keyed
	Body kernel.Sent[mergeDraft]
}

func (a operations) mergeItem(ctx context.Context, in *mergeItemInput) error {
	return a.decideItem(ctx, in.By, in.ID, moderation.MergeItem, in.Body.Fields.Into)
}

func (a operations) decideItem(
	ctx context.Context, actor core.Actor, id core.ItemID, decision moderation.ItemDecision, into core.ItemID,
) error {
	_, err := a.Market.Moderation.DecideItem(ctx, actor, id, decision, into)
	return err
}
